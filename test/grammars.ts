import type { ChatEvent } from '#chat/event.ts'

// Strict readers of what the gateway says. Official clients forgive much of what these refuse: an answer that
// passes here can be read by every client. They throw an Error that names the first offence.

/** Checks that events follow the grammar of an answer: whole, or a prefix of one that broke off. */
export function checkEvents(
  events: readonly ChatEvent[],
  extent: 'whole' | 'prefix' = 'whole',
): void {
  let open: string | undefined
  let marks: string[] = []
  const ids = new Set<string>()
  for (const [at, event] of events.entries()) {
    const isFirst = at === 0
    must(isFirst === (event.type === 'answer-start'), `event ${at}: ${event.type} is out of place`)
    must(
      event.type !== 'answer-end' || at === events.length - 1,
      `event ${at}: something follows answer-end`,
    )
    switch (event.type) {
      case 'block-start':
        must(open === undefined, `event ${at}: a block starts inside ${open}`)
        open = event.block.type
        marks = []
        if (event.block.type === 'call') {
          must(event.block.name !== '', `event ${at}: a call without a name`)
          must(event.block.id !== '', `event ${at}: a call without an id`)
          must(!ids.has(event.block.id), `event ${at}: a second call ${event.block.id}`)
          ids.add(event.block.id)
        }
        break
      case 'block-delta':
        must(open !== undefined && open !== 'other', `event ${at}: text outside a block`)
        must(event.text !== '', `event ${at}: an empty delta`)
        break
      case 'block-mark':
        must(open === 'reasoning' || open === 'call', `event ${at}: a mark on ${open}`)
        must(!marks.includes(event.opaque.kind), `event ${at}: a second ${event.opaque.kind}`)
        marks.push(event.opaque.kind)
        break
      case 'block-citation':
        must(open === 'text', `event ${at}: a citation on ${open}`)
        break
      case 'block-end':
        must(open !== undefined, `event ${at}: an end without a block`)
        open = undefined
        break
      case 'answer-end':
        must(open === undefined, `event ${at}: the answer ends inside ${open}`)
        break
      case 'usage':
        must(
          Object.values(event.usage).every((count) => Number.isSafeInteger(count) && count >= 0),
          `event ${at}: usage ${JSON.stringify(event.usage)}`,
        )
        break
      case 'answer-start':
      case 'idle':
      case 'note':
    }
  }
  if (extent === 'whole') must(events.at(-1)?.type === 'answer-end', 'the answer does not end')
}

/** A stream that was read to its end: what it adds up to, or the failure that it tells of. */
export type Told =
  | { readonly outcome: 'complete'; readonly message: Json }
  | { readonly outcome: 'error'; readonly error: Json; readonly frames: number }

export interface Json {
  readonly [key: string]: unknown
}

/** One frame of a messages stream, as the grammar sees it. */
export interface MessagesFrame {
  readonly name: string
  readonly data: Json
}

/** The frames of a messages stream, refusing any byte that does not belong to one. */
export function messagesFrames(text: string): MessagesFrame[] {
  const frames: MessagesFrame[] = []
  let rest = text
  while (rest !== '') {
    const match = /^event: ([a-z_]+)\ndata: ([^\r\n]*)\n\n/.exec(rest)
    must(match !== null, `no frame: ${JSON.stringify(rest.slice(0, 200))}`)
    const [whole, name = '', data = ''] = match
    const value = object(JSON.parse(data), 'the data of a frame')
    must(value['type'] === name, `${name} holds a ${String(value['type'])}`)
    frames.push({ name, data: value })
    rest = rest.slice(whole.length)
  }
  return frames
}

/** Reads a messages stream strictly, and adds it up to the message that a reply would be. */
export function readMessagesStream(text: string): Told {
  const frames = messagesFrames(text)
  const soFar: MessageSoFar = { state: 'before', blocks: [], open: undefined, message: {}, end: {} }
  for (const [at, frame] of frames.entries()) {
    if (frame.name === 'error') {
      must(at === frames.length - 1, 'something follows an error')
      const error = object(frame.data['error'], 'error')
      must(typeof error['type'] === 'string', 'an error without a type')
      must(typeof error['message'] === 'string', 'an error without a message')
      return { outcome: 'error', error, frames: frames.length }
    }
    takeMessagesFrame(soFar, frame)
  }
  must(soFar.state === 'after', `the stream ends ${soFar.state} its message_stop`)
  const { usage, delta } = soFar.end
  const reason = object(delta, 'delta')['stop_reason']
  const content = soFar.blocks.map((block) => wholeBlock(block, String(reason)))
  const started = soFar.message['usage']
  return {
    outcome: 'complete',
    message: {
      ...soFar.message,
      content,
      ...object(delta, 'delta'),
      usage: { ...object(started, 'usage'), ...object(usage, 'usage') },
    },
  }
}

interface MessageSoFar {
  state: 'before' | 'inside' | 'ended' | 'after'
  message: Json
  readonly blocks: BlockSoFar[]
  open: BlockSoFar | undefined
  end: Json
}

interface BlockSoFar {
  readonly start: Json
  text: string
  signature: string | undefined
  readonly citations: unknown[]
}

function takeMessagesFrame(soFar: MessageSoFar, { name, data }: MessagesFrame): void {
  must(soFar.state !== 'after', `${name} after message_stop`)
  switch (name) {
    case 'ping':
      return
    case 'message_start':
      must(soFar.state === 'before', 'a second message_start')
      soFar.state = 'inside'
      soFar.message = startedMessage(data['message'])
      return
    case 'content_block_start':
      must(soFar.state === 'inside', 'a block outside the message')
      must(soFar.open === undefined, 'a block starts inside a block')
      must(data['index'] === soFar.blocks.length, `index ${String(data['index'])} is not dense`)
      soFar.open = startedBlock(object(data['content_block'], 'content_block'))
      soFar.blocks.push(soFar.open)
      return
    case 'content_block_delta':
      must(soFar.open !== undefined, 'a delta outside a block')
      must(data['index'] === soFar.blocks.length - 1, 'a delta of another block')
      takeDelta(soFar.open, object(data['delta'], 'delta'))
      return
    case 'content_block_stop':
      must(soFar.open !== undefined, 'a stop without a block')
      must(data['index'] === soFar.blocks.length - 1, 'a stop of another block')
      must(
        soFar.open.start['type'] !== 'thinking' || soFar.open.signature !== undefined,
        'a thought without a signature',
      )
      soFar.open = undefined
      return
    case 'message_delta':
      must(soFar.state === 'inside' && soFar.open === undefined, 'message_delta is out of place')
      soFar.state = 'ended'
      soFar.end = data
      checkEnd(data)
      return
    case 'message_stop':
      must(soFar.state === 'ended', 'message_stop without message_delta')
      soFar.state = 'after'
      return
    default:
      throw new Error(`an event of an unknown name: ${name}`)
  }
}

function startedMessage(value: unknown): Json {
  const message = object(value, 'message')
  must(message['type'] === 'message', 'message.type')
  must(message['role'] === 'assistant', 'message.role')
  must(typeof message['id'] === 'string' && message['id'] !== '', 'message.id')
  must(typeof message['model'] === 'string' && message['model'] !== '', 'message.model')
  must(Array.isArray(message['content']) && message['content'].length === 0, 'message.content')
  must(message['stop_reason'] === null, 'message.stop_reason')
  must(message['stop_sequence'] === null, 'message.stop_sequence')
  const usage = object(message['usage'], 'message.usage')
  checkMessagesUsage(usage)
  must(usage['output_tokens'] === 0, 'message.usage counts output before there is any')
  return message
}

function startedBlock(start: Json): BlockSoFar {
  switch (start['type']) {
    case 'text':
      must(start['text'] === '', 'a text starts with text')
      must(start['citations'] === undefined, 'a text starts with citations')
      break
    case 'thinking':
      must(start['thinking'] === '' && start['signature'] === '', 'a thought starts with a thought')
      break
    case 'tool_use':
      must(typeof start['id'] === 'string' && start['id'] !== '', 'a call without an id')
      must(typeof start['name'] === 'string' && start['name'] !== '', 'a call without a name')
      must(JSON.stringify(start['input']) === '{}', 'a call starts with input')
      break
    case 'redacted_thinking':
      must(typeof start['data'] === 'string' && start['data'] !== '', 'a thought without data')
      break
    default:
      must(typeof start['type'] === 'string', 'a block without a type')
  }
  return { start, text: '', signature: undefined, citations: [] }
}

const deltaMembers: Readonly<Record<string, readonly [block: string, member: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  input_json_delta: ['tool_use', 'partial_json'],
}

function takeDelta(block: BlockSoFar, delta: Json): void {
  const type = String(delta['type'])
  const kind = block.start['type']
  must(block.signature === undefined, `${type} after the signature`)
  if (type === 'signature_delta') {
    must(kind === 'thinking', `a signature on ${String(kind)}`)
    must(typeof delta['signature'] === 'string', 'a signature that is no text')
    block.signature = String(delta['signature'])
    return
  }
  if (type === 'citations_delta') {
    must(kind === 'text', `a citation on ${String(kind)}`)
    block.citations.push(delta['citation'])
    return
  }
  const [fits, member] = deltaMembers[type] ?? ['', '']
  must(kind === fits, `${type} on ${String(kind)}`)
  const text = delta[member]
  must(typeof text === 'string' && text !== '', `an empty ${type}`)
  block.text += text
}

function checkEnd(data: Json): void {
  const delta = object(data['delta'], 'message_delta.delta')
  must(typeof delta['stop_reason'] === 'string', 'an end without a reason')
  must(delta['stop_sequence'] !== '' && delta['stop_sequence'] !== undefined, 'stop_sequence')
  checkMessagesUsage(object(data['usage'], 'message_delta.usage'))
}

function checkMessagesUsage(usage: Json): void {
  must(isCount(usage['input_tokens']), 'usage.input_tokens')
  must(isCount(usage['output_tokens']), 'usage.output_tokens')
  for (const key of ['cache_read_input_tokens', 'cache_creation_input_tokens']) {
    must(usage[key] === undefined || isCount(usage[key]), `usage.${key}`)
  }
  const thoughts = object(usage['output_tokens_details'] ?? {}, 'details')['thinking_tokens'] ?? 0
  must(isCount(thoughts) && thoughts <= Number(usage['output_tokens']), 'more thought than said')
}

/** The block as a reply has it. The input of a call that was cut is empty there. */
function wholeBlock({ start, text, signature, citations }: BlockSoFar, reason: string): Json {
  const cited = citations.length === 0 ? {} : { citations }
  switch (start['type']) {
    case 'text':
      return { ...start, text, ...cited }
    case 'thinking':
      return { ...start, thinking: text, signature: signature ?? '' }
    case 'tool_use':
      return { ...start, input: wholeInput(text, reason) }
    default:
      return start
  }
}

function wholeInput(text: string, reason: string): Json {
  if (text === '') return {}
  try {
    return object(JSON.parse(text), 'the input of a call')
  } catch (error) {
    must(
      ['max_tokens', 'model_context_window_exceeded', 'refusal'].includes(reason),
      `a call ends in bad JSON under ${reason}: ${String(error)}`,
    )
    return {}
  }
}

/** Reads a chat-completions stream strictly, and adds it up to the reply that it stands for. */
export function readChatStream(
  text: string,
  { wantsUsage }: { readonly wantsUsage: boolean },
): Told {
  const soFar: CompletionSoFar = {
    head: undefined,
    message: { role: undefined, texts: {}, other: {}, calls: [] },
    finish: undefined,
    usage: undefined,
  }
  const frames = chatFrames(text)
  for (const [at, data] of frames.entries()) {
    if (data === '[DONE]') {
      must(at === frames.length - 1, 'something follows [DONE]')
      return { outcome: 'complete', message: wholeCompletion(soFar, wantsUsage) }
    }
    const chunk = object(JSON.parse(data), 'a chunk')
    if (chunk['error'] !== undefined) {
      must(at === frames.length - 1, 'something follows an error')
      return { outcome: 'error', error: checkedChatError(chunk), frames: frames.length }
    }
    takeChunk(soFar, chunk, wantsUsage)
  }
  throw new Error('the stream ends without [DONE] and without an error')
}

/** The data of a chat-completions stream; comments are left out. An error may be followed by `[DONE]`, which is left out too. */
export function chatFrames(text: string): string[] {
  const frames: string[] = []
  let rest = text
  while (rest !== '') {
    const match = /^(?:data: ([^\r\n]+)|:[^\r\n]*)\n\n/.exec(rest)
    must(match !== null, `no frame: ${JSON.stringify(rest.slice(0, 200))}`)
    if (match[1] !== undefined) frames.push(match[1])
    rest = rest.slice(match[0].length)
  }
  const isAfterError = frames.at(-1) === '[DONE]' && frames.at(-2)?.startsWith('{"error":')
  return isAfterError === true ? frames.slice(0, -1) : frames
}

interface CompletionSoFar {
  head: Json | undefined
  readonly message: {
    role: unknown
    readonly texts: Record<string, string>
    readonly other: Record<string, unknown>
    readonly calls: CallSoFar[]
  }
  finish: { readonly word: unknown; readonly choice: Json } | undefined
  usage: unknown
}

interface CallSoFar {
  readonly id: unknown
  readonly name: unknown
  arguments: string
}

function takeChunk(soFar: CompletionSoFar, chunk: Json, wantsUsage: boolean): void {
  must(chunk['object'] === 'chat.completion.chunk', 'chunk.object')
  const head = { id: chunk['id'], created: chunk['created'], model: chunk['model'] }
  soFar.head ??= head
  must(JSON.stringify(head) === JSON.stringify(soFar.head), 'chunks of different answers')
  must(typeof head.id === 'string' && head.id !== '', 'chunk.id')
  must(Number.isInteger(head.created), 'chunk.created')
  must('usage' in chunk === wantsUsage, 'usage is there exactly if it was asked for')
  must(soFar.usage === undefined || soFar.usage === null, 'a chunk after the usage')
  const choices = chunk['choices']
  must(Array.isArray(choices), 'chunk.choices')
  if (choices.length === 0) {
    must(soFar.finish !== undefined, 'usage before the finish')
    checkChatUsage(object(chunk['usage'], 'usage'))
    soFar.usage = chunk['usage']
    return
  }
  must(!wantsUsage || chunk['usage'] === null, 'usage on an ordinary chunk')
  must(choices.length === 1, 'several choices in a chunk')
  takeChatChoice(soFar, object(choices[0], 'choice'))
}

function takeChatChoice(soFar: CompletionSoFar, choice: Json): void {
  must(choice['index'] === 0, 'choice.index')
  must(soFar.finish === undefined, 'a chunk after the finish')
  const { message } = soFar
  const { role, tool_calls: calls, ...rest } = object(choice['delta'], 'delta')
  if (message.role === undefined) must(role === 'assistant', 'the first delta has no role')
  else must(role === undefined, 'a second role')
  message.role = 'assistant'
  for (const [key, value] of Object.entries(rest)) {
    if (typeof value === 'string') message.texts[key] = (message.texts[key] ?? '') + value
    else if (key === 'function_call') takeLegacyCall(message.other, object(value, key))
    else if (value !== null) message.other[key] = value
  }
  if (calls !== undefined) takeCalls(message.calls, calls)
  const word = choice['finish_reason']
  if (word !== null) soFar.finish = { word, choice }
}

function takeCalls(calls: CallSoFar[], deltas: unknown): void {
  must(Array.isArray(deltas) && deltas.length > 0, 'tool_calls')
  for (const one of deltas) {
    const delta = object(one, 'tool call')
    const named = object(delta['function'], 'function')
    const { index } = delta
    if (index === calls.length) {
      must(typeof delta['id'] === 'string' && delta['id'] !== '', 'a call without an id')
      must(delta['type'] === 'function', 'a call without a type')
      must(typeof named['name'] === 'string' && named['name'] !== '', 'a call without a name')
      calls.push({ id: delta['id'], name: named['name'], arguments: '' })
    } else {
      must(index === calls.length - 1, `a delta of call ${String(index)} among ${calls.length}`)
      must(!('id' in delta) && !('type' in delta), 'a call is named twice')
      must(!('name' in named), 'a call is named twice')
    }
    must(typeof named['arguments'] === 'string', 'arguments that are no text')
    const call = calls.at(-1)
    if (call !== undefined) call.arguments += named['arguments']
  }
}

function takeLegacyCall(other: Record<string, unknown>, delta: Json): void {
  const known = object(other['function_call'] ?? { arguments: '' }, 'function_call')
  must(known['name'] === undefined || delta['name'] === undefined, 'a call is named twice')
  const name = known['name'] ?? delta['name']
  const more = delta['arguments'] ?? ''
  must(typeof more === 'string', 'arguments that are no text')
  other['function_call'] = {
    name,
    arguments: String(known['arguments']) + more,
  }
}

const finishWords = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call']

function wholeCompletion(soFar: CompletionSoFar, wantsUsage: boolean): Json {
  const { message, finish, usage } = soFar
  must(finish !== undefined, '[DONE] without a finish_reason')
  must(finishWords.includes(String(finish.word)), `finish_reason ${String(finish.word)}`)
  must(!wantsUsage || usage !== undefined, '[DONE] without the usage that was asked for')
  const { finish_reason: word, delta: _delta, index: _index, ...beside } = finish.choice
  const calls = message.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  return {
    ...soFar.head,
    message: {
      ...message.texts,
      ...message.other,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
    finish_reason: word,
    beside,
    ...(wantsUsage ? { usage } : {}),
  }
}

function checkChatUsage(usage: Json): void {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  must(isCount(prompt) && isCount(completion), 'usage that is no count')
  must(total === prompt + completion, 'the total is not the sum')
  const cached = object(usage['prompt_tokens_details'] ?? {}, 'details')['cached_tokens'] ?? 0
  must(isCount(cached) && cached <= prompt, 'more cached than sent')
  const thought =
    object(usage['completion_tokens_details'] ?? {}, 'details')['reasoning_tokens'] ?? 0
  must(isCount(thought) && thought <= completion, 'more thought than said')
}

function checkedChatError(chunk: Json): Json {
  must(Object.keys(chunk).length === 1, 'an error beside something else')
  const error = object(chunk['error'], 'error')
  must(typeof error['message'] === 'string', 'an error without a message')
  must(typeof error['type'] === 'string', 'an error without a type')
  for (const key of ['param', 'code']) {
    must(error[key] === null || typeof error[key] === 'string', `error.${key}`)
  }
  return error
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function object(value: unknown, what: string): Json {
  must(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is no object`)
  return value as Json
}

function must(holds: boolean, offence: string): asserts holds {
  if (!holds) throw new Error(`Grammar: ${offence}`)
}
