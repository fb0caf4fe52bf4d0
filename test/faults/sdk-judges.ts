import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

import type { TestGateway } from '#test/start-gateway.ts'

import { wholeText } from './answers.ts'
import { canaries } from './oracle.ts'
import { eachOf } from './rig.ts'
import { expectationOf, type UpstreamFault, type Variant, variantsOf } from './upstream-fault.ts'
import { setStage } from './upstream-matrix.ts'

// What a user of the official clients sees: the whole answer, or an error with a name. Never a half one.

export interface Judged {
  readonly judged: number
  readonly wholes: number
  readonly errors: number
  /** Half answers that were taken for whole ones. */
  readonly truncations: number
  readonly violations: readonly string[]
}

export interface JudgeOptions {
  readonly faults: readonly UpstreamFault[]
  readonly patienceMs: number
  readonly variants?: (fault: UpstreamFault) => readonly Variant[]
}

export async function judge({
  faults,
  patienceMs,
  variants = aloneVariants,
}: JudgeOptions): Promise<Judged> {
  await using stage = await setStage({ faults, patienceMs, variants })
  const { gateway } = stage.rig
  const violations: string[] = []
  const tally = { wholes: 0, errors: 0, truncations: 0 }
  await eachOf(stage.cases, 12, async ({ fault, variant, model }) => {
    const seen = await userSees(gateway, variant, model)
    const due = fault.text ?? wholeText
    if ('text' in seen && seen.text !== due) {
      tally.truncations += 1
      violations.push(`${model}: took ${JSON.stringify(seen.text)} for the whole answer`)
    } else if ('text' in seen) {
      tally.wholes += 1
      const sees = expectationOf(fault, variant)
      const mayBeWhole =
        sees === 'whole' || sees === 'garbled' || (typeof sees === 'object' && 'either' in sees)
      if (!mayBeWhole) violations.push(`${model}: saw the whole answer of an upstream that failed`)
    } else {
      tally.errors += 1
      violations.push(
        ...wrongError(seen.error, fault, variant).map((words) => `${model}: ${words}`),
      )
    }
  })
  return { judged: stage.cases.length, ...tally, violations }
}

function aloneVariants(fault: UpstreamFault): Variant[] {
  return variantsOf(fault).filter(({ hasNext }) => !hasNext)
}

/** An error of the client's own kind, which says why; and no secret in it. */
function wrongError(error: unknown, fault: UpstreamFault, variant: Variant): string[] {
  const sees = expectationOf(fault, variant)
  const isSame = variant.caller === variant.upstream
  // Words that go on as they came are as good as the upstream's: its own clients stumble over these.
  if (sees === 'whole')
    return isSame && fault.kind === 'malformed-sse' ? [] : [`saw an error: ${String(error)}`]
  const text = error instanceof Error ? `${error.message} ${error.stack}` : String(error)
  const leaks = Object.values(canaries).filter((secret) => text.includes(secret))
  if (leaks.length > 0) return ['the error tells a secret']
  // What an upstream garbled is told by the client's own parser.
  if (sees === 'garbled') return error instanceof Error ? [] : ['the error has no name']
  // A client that is busy may read the reason and the end in one go, and keep the end alone.
  if (text.includes('ECONNRESET')) return []
  const isNamed = error instanceof OpenAI.APIError || error instanceof Anthropic.APIError
  if (!isNamed) return [`the error is none of the client's: ${String(error)}`]
  const isDropped =
    error instanceof OpenAI.APIConnectionError || error instanceof Anthropic.APIConnectionError
  return isDropped || error.message === '' ? [`the error has no reason: ${String(error)}`] : []
}

type UserSees = { readonly text: string } | { readonly error: unknown }

async function userSees(gateway: TestGateway, variant: Variant, model: string): Promise<UserSees> {
  try {
    const text =
      variant.caller === 'messages'
        ? await anthropicText(gateway, variant, model)
        : await openaiText(gateway, variant, model)
    return { text }
  } catch (error) {
    return { error }
  }
}

const messages = [{ role: 'user' as const, content: 'Say the letters.' }]

async function openaiText(
  { url, key }: TestGateway,
  { isStream }: Variant,
  model: string,
): Promise<string> {
  const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }).chat
  if (!isStream) {
    const { choices } = await completions.create({ model, messages })
    return choices[0]?.message.content ?? ''
  }
  let text = ''
  const stream = await completions.create({ model, messages, stream: true })
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  return text
}

async function anthropicText(
  { url, key }: TestGateway,
  { isStream }: Variant,
  model: string,
): Promise<string> {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
  const asked = { model, messages, max_tokens: 64 }
  if (!isStream) {
    const { content } = await client.messages.create(asked)
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  }
  let text = ''
  const stream = await client.messages.create({ ...asked, stream: true })
  for await (const event of stream)
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
      text += event.delta.text
  return text
}
