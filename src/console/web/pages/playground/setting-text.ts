import { jsonOf, textAt, valueAt } from '#console/web/api/json-path.ts'

import type { Setting, Tool } from './conversation.ts'

/** What stands in the fields of the settings, as it was typed. */
export interface SettingText {
  readonly system: string
  readonly maxTokens: string
  readonly temperature: string
  readonly topP: string
  /** One on each line. */
  readonly stop: string
  readonly isStream: boolean
  /** JSON: a list of tools, or nothing. */
  readonly tools: string
}

export const usualSetting: SettingText = {
  system: '',
  maxTokens: '512',
  temperature: '',
  topP: '',
  stop: '',
  isStream: true,
  tools: '',
}

/** What is wrong with it, by field. */
export type SettingFaults = Partial<Record<keyof SettingText, string>>

/** What was typed as what is asked; what is wrong is left out of it and named. */
export function settingOf(text: SettingText): {
  readonly setting: Setting
  readonly faults: SettingFaults
} {
  const tools = toolsOf(text.tools)
  const maxTokens = numberOf(text.maxTokens)
  const temperature = numberOf(text.temperature)
  const topP = numberOf(text.topP)
  const faults: SettingFaults = {
    ...(!(Number.isInteger(maxTokens) && Number(maxTokens) > 0) && {
      maxTokens: 'A whole number, 1 or more.',
    }),
    ...(isOutside(temperature, 2) && { temperature: 'A number from 0 to 2.' }),
    ...(isOutside(topP, 1) && { topP: 'A number from 0 to 1.' }),
    ...(tools === undefined && { tools: toolsFault }),
  }
  const setting: Setting = {
    system: text.system,
    maxTokens: maxTokens ?? 1,
    temperature,
    topP,
    stop: text.stop.split('\n').filter((line) => line !== ''),
    isStream: text.isStream,
    tools: tools ?? [],
  }
  return { setting, faults }
}

const toolsFault =
  'A JSON list of {"name", "description", "parameters"}, where parameters is a JSON schema.'

/** To begin with: a tool that answers a question which no model can answer by itself. */
export const exampleTools = JSON.stringify(
  [
    {
      name: 'get_weather',
      description: 'The weather at a place, now.',
      parameters: {
        type: 'object',
        properties: { place: { type: 'string', description: 'A city.' } },
        required: ['place'],
      },
    },
  ],
  undefined,
  2,
)

function numberOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}

function isOutside(value: number | undefined, most: number): boolean {
  return value !== undefined && !(value >= 0 && value <= most)
}

/** Undefined for what is no list of tools. */
function toolsOf(text: string): readonly Tool[] | undefined {
  if (text.trim() === '') return []
  const value = jsonOf(text)
  if (!Array.isArray(value)) return undefined
  const tools = value.map(toolOf)
  return tools.every((tool) => tool !== undefined) ? tools : undefined
}

function toolOf(value: unknown): Tool | undefined {
  const name = textAt(value, 'name')
  const description = textAt(value, 'description')
  const parameters = valueAt(value, 'parameters')
  if (name === '' || typeof parameters !== 'object' || parameters === null) return undefined
  return { name, ...(description !== '' && { description }), parameters }
}
