import type { EmbeddingInput, EmbeddingReply, EmbeddingRequest } from '#chat/embedding.ts'
import { GatewayError } from '#chat/error.ts'
import { longestModelName, type ModelName, type UpstreamModel } from '#chat/names.ts'
import type { RequestBody } from '#chat/request.ts'
import { noUsage, totalInput } from '#chat/usage.ts'
import { failureIn } from '#protocols/chat-completions/decode-answer/decode-error.ts'
import {
  emptyList,
  integerWithin,
  isAbsent,
  isList,
  longList,
  missing,
  string,
  stringUpTo,
  wrongType,
  wrongValue,
} from '#protocols/chat-completions/decode-request/check-values.ts'
import { decodeFloats, encodeFloats, shortest } from '#protocols/float32.ts'
import { given } from '#protocols/given.ts'
import { objectText } from '#protocols/json-text.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, parseJson, type RawJson, rawJson, listIn } from '#std/json.ts'

import { decodeUsage } from './usage.ts'
import { objectIn, textIn } from './wire.ts'

/**
 * Reads a request for embeddings. Throws `request-invalid` with the parameter at fault and the protocol's own code;
 * members that are null are absent, and those that we have no word for are kept as they were said.
 */
export function decodeEmbeddingRequest(body: RequestBody): EmbeddingRequest {
  if (!isObject(body.value)) throw wrongType('body', 'an object', body.value)
  const { model, input, encoding_format: encoding, dimensions, user } = body.value
  if (isAbsent(model) || model === '') throw missing('model')
  if (typeof model !== 'string') throw wrongType('model', 'a string', model)
  stringUpTo(longestModelName)(model, 'model')
  if (isAbsent(input)) throw missing('input')
  if (!isAbsent(dimensions)) integerWithin(1, mostDimensions)(dimensions, 'dimensions')
  if (!isAbsent(user)) string(user, 'user')
  return {
    model: brandAs<ModelName>(model),
    inputs: decodeInputs(input),
    encoding: decodeEncoding(encoding),
    ...given('dimensions', typeof dimensions === 'number' ? dimensions : undefined),
    ...given('user', typeof user === 'string' ? user : undefined),
    extra: extraOf(body),
  }
}

export interface EmbeddingOptions {
  /** Some of the request's inputs, where an upstream takes fewer at a time. */
  readonly inputs?: readonly EmbeddingInput[]
  readonly forwardUnknown: boolean
}

/** The request as an upstream of this protocol is told it. A single input is written without a list. */
export function encodeEmbeddingRequest(
  request: EmbeddingRequest,
  model: UpstreamModel,
  options: EmbeddingOptions,
): string {
  const inputs = options.inputs ?? request.inputs
  return objectText([
    ['model', rawJson(model)],
    ['input', rawJson(inputs.length === 1 ? inputs[0] : inputs)],
    ['encoding_format', rawJson(request.encoding)],
    ['dimensions', request.dimensions === undefined ? undefined : rawJson(request.dimensions)],
    ['user', request.user === undefined ? undefined : rawJson(request.user)],
    ...(options.forwardUnknown ? request.extra : []),
  ])
}

/**
 * Reads an upstream's vectors, as numbers or base64 whichever came, in the order of the inputs. Throws
 * `upstream-failed` unless there are `count` of them, of one width, all of finite numbers. Numbers that came as
 * base64 are made to print with few digits, unless the caller is one who wants base64 again.
 */
export function decodeEmbeddingReply(
  text: string,
  count: number,
  wanted: EmbeddingRequest['encoding'] = 'float',
): EmbeddingReply {
  const parsed = parseJson(text)
  const body = objectIn(parsed.ok ? parsed.value : undefined)
  const failure = failureIn(body)
  if (failure !== undefined) throw failure
  const vectors = orderedItems(body?.['data'], count).map((item) => decodeVector(item, wanted))
  const width = vectors[0]?.length
  if (vectors.some((vector) => vector.length !== width)) throw unusable('vectors of several widths')
  return {
    model: textIn(body?.['model']),
    vectors,
    usage: decodeUsage(body?.['usage']) ?? noUsage,
  }
}

/** The vectors as the caller wants them. */
export function encodeEmbeddingReply(
  reply: EmbeddingReply,
  encoding: EmbeddingRequest['encoding'],
): string {
  const data = reply.vectors.map((vector, index) => {
    const said = encoding === 'base64' ? `"${encodeFloats(vector)}"` : JSON.stringify(vector)
    return `{"object":"embedding","index":${index},"embedding":${said}}`
  })
  const tokens = totalInput(reply.usage)
  return `{"object":"list","data":[${data.join(',')}],"model":${JSON.stringify(reply.model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`
}

const mostInputs = 2048
const mostDimensions = 1_000_000

const known: ReadonlySet<string> = new Set([
  'model',
  'input',
  'encoding_format',
  'dimensions',
  'user',
])

function decodeInputs(input: unknown): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [text(input, 'input')]
  if (!isList(input)) throw wrongType('input', 'a string or an array', input)
  if (input.length === 0) throw emptyList('input')
  if (typeof input[0] === 'number') return [tokens(input, 'input')]
  if (input.length > mostInputs) throw longList('input', mostInputs, input.length)
  const one = typeof input[0] === 'string' ? text : tokens
  return input.map((item, at) => one(item, `input[${at}]`))
}

function text(value: unknown, param: string): string {
  if (typeof value !== 'string') throw wrongType(param, 'a string', value)
  if (value === '') throw wrongValue(param, 'a text that is not empty')
  return value
}

function tokens(value: unknown, param: string): readonly number[] {
  if (!isList(value)) throw wrongType(param, 'a string or an array of token ids', value)
  if (value.length === 0) throw emptyList(param)
  return value.map((token, at) => {
    if (typeof token !== 'number' || !Number.isInteger(token))
      throw wrongType(`${param}[${at}]`, 'an integer', token)
    if (token < 0) throw wrongValue(`${param}[${at}]`, 'a token id, 0 or more')
    return token
  })
}

function decodeEncoding(value: unknown): EmbeddingRequest['encoding'] {
  if (isAbsent(value)) return 'float'
  if (typeof value !== 'string') throw wrongType('encoding_format', 'a string', value)
  if (value === 'float' || value === 'base64') return value
  throw wrongValue('encoding_format', "'float' or 'base64'")
}

function extraOf({ text: whole, members }: RequestBody): EmbeddingRequest['extra'] {
  const unknown = members.filter(({ key }) => !known.has(key))
  return new Map(
    unknown.map(({ key, valueStart, valueEnd }) => [
      key,
      brandAs<RawJson>(whole.slice(valueStart, valueEnd)),
    ]),
  )
}

/** The entries in the order of the inputs. One without an index stands where it is. */
function orderedItems(data: unknown, count: number): readonly unknown[] {
  const items = listIn(data)
  if (items.length !== count) throw unusable(`${items.length} vectors for ${count} inputs`)
  const ordered = new Map(items.map((item, at) => [objectIn(item)?.['index'] ?? at, item]))
  return Array.from({ length: count }, (_, at) => {
    if (!ordered.has(at)) throw unusable(`no vector for input ${at}`)
    return ordered.get(at)
  })
}

function decodeVector(item: unknown, wanted: EmbeddingRequest['encoding']): readonly number[] {
  const said = objectIn(item)?.['embedding']
  const vector = typeof said === 'string' ? decodeFloats(said) : said
  if (!isList(vector) || vector.length === 0) throw unusable('an embedding that is no vector')
  if (!areNumbers(vector)) throw unusable('a vector with something in it that is no finite number')
  return typeof said === 'string' && wanted === 'float' ? vector.map(shortest) : vector
}

/** Finite as a float32 too: what is over would become infinite for callers who want base64. */
function areNumbers(list: readonly unknown[]): list is readonly number[] {
  return list.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number)))
}

function unusable(what: string): GatewayError {
  return new GatewayError(
    'upstream-failed',
    `The upstream answered with ${what}: expected one vector for each input, all of one width.`,
  )
}
