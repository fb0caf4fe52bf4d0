import { Template } from '@huggingface/jinja'

import { GatewayError } from '#chat/error.ts'

import { type CallFormat, callFormatIn, channelCalls, plainCalls, sample } from './call-format.ts'

/** A turn as templates take it. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Null only beside calls, for templates that tell a turn of calls by it. */
  readonly content: string | null
  readonly name?: string
  readonly reasoning_content?: string
  readonly thinking?: string
  readonly tool_calls?: readonly TemplateCall[]
  readonly tool_call_id?: string
}

export interface TemplateCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: unknown }
}

/** What a template is given besides the turns. */
export interface TemplateExtras {
  readonly tools?: readonly unknown[]
  readonly response_schema?: unknown
  readonly enable_thinking?: boolean
  readonly reasoning_effort?: string
}

/** The special words of a model, as its file has them. */
export interface TemplateWords {
  readonly bos: string
  readonly eos: string
  /** Words that end a turn. */
  readonly ends: readonly string[]
}

/** The chat template of a model, and what it turned out to know. */
export interface ChatTemplate {
  /** The text of a prompt up to where the answer begins. Throws what the template raises. */
  readonly render: (messages: readonly TemplateMessage[], extras: TemplateExtras) => string
  readonly knowsTools: boolean
  /** How calls are written; the plain way for a template that knows none. */
  readonly calls: CallFormat
  /** Whether arguments go in as an object, or as JSON text. */
  readonly takesObjects: boolean
  /** What stands for the words of a turn that only calls. */
  readonly noWords: '' | null
  readonly knowsSystem: boolean
  readonly knowsThinkingSwitch: boolean
  readonly keepsReasoning: boolean
  readonly thinks: boolean
  readonly thought: ThoughtWords
}

/** For files without a template: ChatML, which most models have at least seen. */
export const plainTemplate = `{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`

/** The words around a thought. */
export interface ThoughtWords {
  readonly open: string
  readonly close: string
  /** Where a model writes each part of its answer into a channel: the words in front of the text, and all others that say nothing. */
  readonly channels?: { readonly text: string; readonly silent: readonly string[] }
}

const channelThought: ThoughtWords = {
  open: '<|channel|>analysis<|message|>',
  close: '<|end|><|start|>assistant',
  channels: {
    text: '<|channel|>final<|message|>',
    silent: ['<|channel|>commentary<|message|>', '<|start|>assistant', '<|end|>'],
  },
}

/** In the templates of models that think. The first stands for templates that have none. */
export const thoughtWords = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<thinking>', close: '</thinking>' },
] as const satisfies readonly ThoughtWords[]

/**
 * Makes a template ready, and tries it on samples to see what it knows. Throws `upstream-failed` for a template that cannot be
 * understood.
 */
export function chatTemplate(source: string, words: TemplateWords): ChatTemplate {
  const template = parsed(source)
  const fixed = { bos_token: words.bos, eos_token: words.eos }
  const render: Render = (messages, extras) => template.render({ ...fixed, messages, ...extras })
  const thought: ThoughtWords | undefined = source.includes(channelThought.open)
    ? channelThought
    : thoughtWords.find(({ open, close }) => source.includes(open) || source.includes(close))
  const inChannels = thought?.channels === undefined ? undefined : channelCalls
  const found = /\btools\b/.test(source) ? callsOf(render, words.ends) : undefined
  return {
    render: (messages, extras) => render(messages, { ...extras, add_generation_prompt: true }),
    knowsTools: found !== undefined,
    calls: inChannels ?? found?.calls ?? plainCalls,
    takesObjects: found?.takesObjects ?? true,
    noWords: found?.noWords ?? '',
    knowsSystem: tried(() => render([system, user], {})).includes('zqsystem'),
    knowsThinkingSwitch: source.includes('enable_thinking'),
    keepsReasoning: /reasoning_content|message\.thinking/.test(source),
    thinks: thought !== undefined,
    thought: thought ?? thoughtWords[0],
  }
}

type Render = (
  messages: readonly TemplateMessage[],
  extras: TemplateExtras & { readonly add_generation_prompt?: boolean },
) => string

const system: TemplateMessage = { role: 'system', content: 'zqsystem' }
const user: TemplateMessage = { role: 'user', content: 'zquser' }

const tools = sample.names.map((name) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties: {} } },
}))

function parsed(source: string): Template {
  try {
    // A member that is called `items`, as arguments often are, would hide the method of that name.
    return new Template(source.replaceAll(/\.items\(\s*\)/g, '|items'))
  } catch (error) {
    throw new GatewayError('upstream-failed', "The model's chat template cannot be understood.", {
      cause: error,
    })
  }
}

function tried(render: () => string): string {
  try {
    return render()
  } catch {
    // A template that raises on a sample does not know what the sample has.
    return ''
  }
}

/** How a template wants calls, and how it writes them. */
interface CallManner {
  readonly takesObjects: boolean
  readonly noWords: '' | null
  readonly calls: CallFormat
}

type Trial = Pick<CallManner, 'takesObjects' | 'noWords'> & { readonly count: 1 | 2 }

/** Most templates take the first; some know one call a turn, some want arguments as text, some no words at all. */
const trials: readonly Trial[] = ([true, false] as const).flatMap((takesObjects) =>
  (['', null] as const).flatMap((noWords) =>
    ([2, 1] as const).map((count) => ({ takesObjects, noWords, count })),
  ),
)

/** Renders a history with calls, and looks at what comes where the answer would begin. */
function callsOf(render: Render, ends: readonly string[]): CallManner | undefined {
  const opening = afterQuestion(tried(() => render([user], { tools, add_generation_prompt: true })))
  for (const { count, ...trial } of trials) {
    const turn = callTurn({ count, ...trial })
    const whole = afterQuestion(tried(() => render([user, turn], { tools })))
    const written = withoutOpening(whole, opening)
    const calls = written === undefined ? undefined : callFormatIn(written, ends)
    const isWhole = count === 1 || calls?.next !== undefined
    if (calls !== undefined && isWhole) return { ...trial, calls }
  }
  return undefined
}

function callTurn({ count, takesObjects, noWords }: Trial): TemplateMessage {
  const indexes = [0, 1] as const
  const calls = indexes.slice(0, count).map((index) => {
    const given = { [sample.keys[index]]: sample.value }
    return {
      id: sample.ids[index],
      type: 'function' as const,
      function: {
        name: sample.names[index],
        arguments: takesObjects ? given : JSON.stringify(given),
      },
    }
  })
  return { role: 'assistant', content: noWords, tool_calls: calls }
}

function afterQuestion(text: string): string | undefined {
  const question = 'zquser'
  const at = text.lastIndexOf(question)
  return at === -1 ? undefined : text.slice(at + question.length)
}

/** A thought that is empty, or opened in the prompt and closed here, belongs to no call. */
function withoutOpening(
  whole: string | undefined,
  opening: string | undefined,
): string | undefined {
  if (whole === undefined || opening === undefined) return undefined
  const plain = opening.replace(/<think>\s*(?:<\/think>\s*)?$/, '')
  const start = [opening, plain].find((one) => whole.startsWith(one))
  return start === undefined
    ? undefined
    : whole.slice(start.length).replace(/^\s*(?:<think>)?\s*(?:<\/think>)?\s*/, '')
}
