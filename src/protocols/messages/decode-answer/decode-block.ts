import type { ChatEvent } from '#chat/event.ts'
import { objectIn, textIn, type WireDelta } from '#protocols/messages/wire.ts'
import type { Heard } from '#protocols/protocol.ts'
import { brandAs } from '#std/brand.ts'
import {
  isObject,
  type JsonObject,
  membersOf,
  parseJson,
  type RawJson,
  rawAt,
  listIn,
} from '#std/json.ts'
import { randomText } from '#std/random-id.ts'

import { nonsense } from './decode-error.ts'

/** A block that has begun and not ended. */
export interface OpenBlock {
  readonly kind: 'text' | 'thinking' | 'redacted' | 'call' | 'other'
  /** Which block of the message the server says it is. */
  readonly index: unknown
  /** The type of a block of kind `other`. */
  readonly type: string
  /** What the start held: the input of a call, or a block of kind `other` whole. */
  readonly raw: RawJson
  /** The last signature of a thought; the official clients let a later one overwrite an earlier one. */
  signature: string
  /** The fragments of the input of a call or of a server tool: empty if none came. */
  hasInput: boolean
  input: string
}

/** One event of a stream: its value, and its text for what must go on as it was written. */
export interface EventText {
  readonly value: JsonObject
  readonly text: string
}

/** A block that begins, and where its text is. */
export interface Source {
  readonly block: JsonObject
  /** The block's own text. Asked for only where it is needed. */
  readonly text: () => RawJson
  readonly index: unknown
  /** The ids of the answer's calls so far, to which a call adds its own. */
  readonly callIds: Set<string>
}

/** Opens a block; its events, and what its start already holds, go to `means`. */
export function openBlock(source: Source, heard: Heard, means: ChatEvent[]): OpenBlock {
  const type = textIn(source.block['type'])
  switch (type) {
    case 'text':
      return openText(source, means)
    case 'thinking':
      return openThinking(source, means)
    case 'redacted_thinking':
      return openRedacted(source, heard, means)
    case 'tool_use':
      return openCall(source, heard, means)
    case '':
      throw nonsense('a block of no type')
    default:
      return begun(source, { kind: 'other', raw: source.text() })
  }
}

/**
 * Takes a fragment into the open block. One that belongs to another kind of block fails the answer, since its place
 * cannot be known; one of an unknown kind is noted.
 */
export function growBlock(open: OpenBlock, event: EventText, means: ChatEvent[]): void {
  const delta = objectIn(event.value['delta'])
  const type = textIn(delta['type'])
  const home = homes.get(type)
  if (home === undefined) {
    means.push({ type: 'note', field: 'answer.content', what: `${nameOf(type)} left out` })
    return
  }
  if (!home.includes(open.kind)) throw nonsense(`a ${type} inside a block of kind ${open.kind}`)
  if (type === 'text_delta') say(textIn(delta['text']), means)
  else if (type === 'thinking_delta') say(textIn(delta['thinking']), means)
  else if (type === 'input_json_delta') growInput(open, textIn(delta['partial_json']), means)
  else if (type === 'signature_delta') open.signature = textIn(delta['signature'])
  else if (isObject(delta['citation'])) cite(rawAt(event.text, ['delta', 'citation']), means)
}

/** Ends the open block. What could only be said of it whole is said first. */
export function closeBlock(open: OpenBlock, heard: Heard, means: ChatEvent[]): void {
  if (open.kind === 'other') startOther(open, means)
  if (open.kind === 'call' && !open.hasInput) say(open.raw, means)
  if (open.kind === 'thinking' && open.signature !== '') {
    means.push({
      type: 'block-mark',
      opaque: {
        family: heard.target.profile.family,
        kind: 'signature',
        data: open.signature,
      },
    })
  }
  means.push({ type: 'block-end' })
}

/** A word of an upstream that is safe to show in a note. */
export function nameOf(word: string): string {
  return /^[\w.-]{1,64}$/.test(word) ? word : 'something of no known type'
}

/** Which kinds of block a fragment may stand in. */
const homes: ReadonlyMap<string, readonly OpenBlock['kind'][]> = new Map(
  Object.entries({
    text_delta: ['text'],
    citations_delta: ['text'],
    thinking_delta: ['thinking'],
    signature_delta: ['thinking'],
    input_json_delta: ['call', 'other'],
  } satisfies Record<WireDelta['type'], readonly OpenBlock['kind'][]>),
)

const emptyObject = brandAs<RawJson>('{}')

function openText(source: Source, means: ChatEvent[]): OpenBlock {
  means.push({ type: 'block-start', block: { type: 'text' } })
  say(textIn(source.block['text']), means)
  for (const [at, citation] of listIn(source.block['citations']).entries()) {
    if (isObject(citation)) cite(rawAt(source.text(), ['citations', at]), means)
  }
  return begun(source, { kind: 'text', raw: emptyObject })
}

function openThinking(source: Source, means: ChatEvent[]): OpenBlock {
  means.push({ type: 'block-start', block: { type: 'reasoning' } })
  say(textIn(source.block['thinking']), means)
  const open = begun(source, { kind: 'thinking', raw: emptyObject })
  open.signature = textIn(source.block['signature'])
  return open
}

function openRedacted(source: Source, heard: Heard, means: ChatEvent[]): OpenBlock {
  const data = textIn(source.block['data'])
  const { family } = heard.target.profile
  means.push({ type: 'block-start', block: { type: 'reasoning' } })
  if (data !== '') means.push({ type: 'block-mark', opaque: { family, kind: 'redacted', data } })
  return begun(source, { kind: 'redacted', raw: emptyObject })
}

function openCall(source: Source, heard: Heard, means: ChatEvent[]): OpenBlock {
  const name = textIn(source.block['name'])
  if (name === '') throw nonsense('a call of a tool without a name')
  const id = newCallId(source)
  means.push({
    type: 'block-start',
    block: { type: 'call', id, name: heard.names.get(name) ?? name },
  })
  const input = source.block['input']
  const isEmpty = !isObject(input) || Object.keys(input).length === 0
  const raw = isEmpty ? emptyObject : (rawAt(source.text(), ['input']) ?? emptyObject)
  return begun(source, { kind: 'call', raw })
}

/** The id of a call. One that an earlier call has, or none, is made anew: results are matched by it. */
function newCallId({ block, callIds }: Source): string {
  const said = textIn(block['id'])
  const id = said === '' || callIds.has(said) ? `toolu_${randomText(24)}` : said
  callIds.add(id)
  return id
}

function begun(source: Source, { kind, raw }: Pick<OpenBlock, 'kind' | 'raw'>): OpenBlock {
  const type = textIn(source.block['type'])
  return { kind, index: source.index, type, raw, signature: '', hasInput: false, input: '' }
}

function say(text: string, means: ChatEvent[]): void {
  if (text !== '') means.push({ type: 'block-delta', text })
}

function cite(raw: RawJson | undefined, means: ChatEvent[]): void {
  if (raw !== undefined) means.push({ type: 'block-citation', raw: oneLine(raw) })
}

// The first fragment is often empty; the input of the start stands until one says something.
function growInput(open: OpenBlock, fragment: string, means: ChatEvent[]): void {
  if (fragment === '') return
  open.hasInput = true
  if (open.kind === 'call') say(fragment, means)
  else open.input += fragment
}

function startOther(open: OpenBlock, means: ChatEvent[]): void {
  const parsed = parseJson(open.input)
  const isWhole = parsed.ok && isObject(parsed.value)
  if (open.hasInput && !isWhole) {
    means.push({
      type: 'note',
      field: 'answer.content',
      what: `cut input of ${nameOf(open.type)} left out`,
    })
  }
  const raw = isWhole ? withInput(open) : open.raw
  means.push({ type: 'block-start', block: { type: 'other', kind: open.type, raw: oneLine(raw) } })
}

/** A block of a server tool, with the input that came in fragments in place of the one it began with. */
function withInput(open: OpenBlock): RawJson {
  const member = membersOf(open.raw).findLast((one) => one.key === 'input')
  if (member === undefined) return open.raw
  return brandAs<RawJson>(
    open.raw.slice(0, member.valueStart) + open.input + open.raw.slice(member.valueEnd),
  )
}

/** The text without its line ends, which in JSON stand only between its parts; a frame cannot hold them. */
function oneLine(raw: RawJson): RawJson {
  return brandAs<RawJson>(raw.replaceAll(/[\r\n]+/g, ' '))
}
