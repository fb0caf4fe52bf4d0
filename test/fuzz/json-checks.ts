import { GatewayError } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'
import { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest } from '#chat/request.ts'
import { parseBody } from '#http/read-body.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { messages } from '#protocols/messages/protocol.ts'
import type { Protocol } from '#protocols/protocol.ts'
import { isObject } from '#std/json.ts'
import { headersOf, targetOf } from '#test/requests.ts'

const byName = { 'chat-completions': chatCompletions, messages } as const
const protocolNames = ['chat-completions', 'messages'] as const

/** Targets that make the codecs take their other branches. */
const profiles: readonly Partial<Profile>[] = [
  {},
  {
    family: 'anthropic',
    firstParty: true,
    thinking: 'adaptive',
    structuredOutput: 'native',
    forwardUnknown: true,
    reasoningReplay: 'required',
    callIds: 'nine',
    prefill: 'prefix',
  },
  {
    textParts: false,
    emptyContent: 'string',
    structuredOutput: 'instruction',
    midSystem: 'user',
    sampling: 'one',
    fetchesUrls: false,
    strictTools: false,
    reasoningControl: 'none',
    dropsEmpty: true,
    toolNameLimit: 8,
    maxStops: 0,
  },
]

/** Holds a body against its promises in both protocols: what is good in one is a stranger in the other. */
export function checkBodies(text: string): void {
  for (const protocol of protocolNames) checkBody(text, protocol)
}

/**
 * Holds the text of a body against what is promised of every body: it is understood and said again as JSON in both
 * protocols, or refused as the caller's own fault; and nothing of it reaches what all objects share. Throws an Error
 * that names the first offence. Gives how far the body came.
 */
export function checkBody(text: string, protocol: ProtocolName): 'refused' | 'understood' {
  try {
    return checkedBody(text, protocol)
  } finally {
    checkNothingPolluted()
  }
}

function checkedBody(text: string, protocol: ProtocolName): 'refused' | 'understood' {
  const body = refusedOr('parsing', () => parseBody(text))
  if (body === undefined) return 'refused'
  const request = refusedOr('decoding', () => byName[protocol].decodeRequest(body, headersOf()))
  if (request === undefined) return 'refused'
  must(typeof request.model === 'string', 'the model is no string')
  must(request.maxTokens === undefined || isCount(request.maxTokens), 'maxTokens is no count')
  must(request.choices === undefined || isCount(request.choices), 'choices is no count')
  refusedOr('its meaning', () => request.meaning())
  for (const profile of profiles)
    for (const upstream of protocolNames) checkSaid(request, upstream, profile)
  return 'understood'
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0
}

type Say = Protocol['encodeRequest']

/** The request as each upstream would be sent it. */
function checkSaid(request: ChatRequest, upstream: ProtocolName, profile: Partial<Profile>): void {
  const target = targetOf(upstream, profile)
  const protocol = byName[upstream]
  const encode: Say = (...given) => protocol.encodeRequest(...given)
  const pass: Say = (...given) => protocol.passRequest(...given)
  const says = request.protocol === upstream ? [pass, encode] : [encode]
  for (const [at, say] of says.entries()) {
    const how = `${says.length === 2 && at === 0 ? 'passing on' : 'encoding'} for ${upstream}`
    const sent = refusedOr(how, () => say(request, target, new Notes(false)))
    if (sent === undefined) continue
    const value = parsed(sent.body, how)
    must(isObject(value), `${how} gives no object`)
    must(
      value['model'] === target.model,
      `${how} names the model ${JSON.stringify(value['model'])}`,
    )
    must(!sent.body.includes('undefined":') && !sent.body.includes(':NaN'), `${how} says nonsense`)
    must(Buffer.from(sent.body).toString() === sent.body.toWellFormed(), `${how} is no UTF-8`)
    for (const header of sent.headers.values())
      must(!/[\r\n\0]/.test(header), `${how} breaks a header`)
  }
}

function parsed(text: string, how: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${how} gives no JSON (${String(error)})\n${text}`, { cause: error })
  }
}

/** What the action gives; undefined if the caller is told that it is its fault. */
function refusedOr<Value>(how: string, act: () => Value): Value | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof GatewayError) {
      must(error.fault === 'client', `${how} fails as ${error.code}: ${error.message}`)
      must(error.status < 500, `${how} fails with status ${error.status}`)
      checkToldError(how, error)
      return undefined
    }
    const said =
      error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error)
    throw new Error(`${how} throws what is no GatewayError: ${said}`, { cause: error })
  }
}

/** A refusal can be worded, and is no echo of a body of any size. */
function checkToldError(how: string, error: GatewayError): void {
  for (const name of protocolNames) {
    const words = byName[name].encodeError(error, 'req_1')
    parsed(words, `the refusal of ${how}`)
    must(words.length < 20_000, `the refusal of ${how} has ${words.length} characters`)
  }
}

function checkNothingPolluted(): void {
  const fresh: Record<string, unknown> = {}
  must(fresh['polluted'] === undefined, 'every object has become polluted')
  must(Object.keys(Object.prototype).length === 0, 'the prototype of all objects has new members')
}

function must(holds: boolean, offence: string): asserts holds {
  if (!holds) throw new Error(offence)
}
