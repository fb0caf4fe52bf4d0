import { describe, expect, test } from 'bun:test'

import { c, DONE, F, role, sse as chatText } from './chat-answers.ts'
import { asked, LedgerFile, servedBy } from './messages-callers.ts'
import {
  ending,
  frame,
  messageDelta,
  messageStart,
  messageStop,
  textBlock,
} from './messages-frames.ts'
import { json, sse, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway } from './start-gateway.ts'

// What an answer loses on its way into the other protocol stands in the ledger, and what it lacks is estimated.

const chatRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

function notesIn(ledger: LedgerFile): unknown {
  return JSON.parse(ledger.rows[0]?.notes ?? '[]')
}

describe('a chat caller of a messages upstream that searches the web', () => {
  const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'x' } }
  const found = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] }
  const page = { type: 'web_search_result_location', url: 'https://a.example/', title: 'A' }
  const place = { type: 'char_location', document_index: 0, cited_text: 'x' }
  const untold = [
    { field: 'answer.content', what: 'server_tool_use left out' },
    { field: 'answer.content', what: 'web_search_tool_result left out' },
    { field: 'answer.citations', what: 'those of no page left out' },
  ]

  const whole = (index: number, block: object) =>
    frame('content_block_start', { index, content_block: block }) +
    frame('content_block_stop', { index })

  const cited =
    frame('content_block_start', { index: 2, content_block: { type: 'text', text: '' } }) +
    frame('content_block_delta', { index: 2, delta: { type: 'text_delta', text: 'Found' } }) +
    [page, place]
      .map((citation) => ({ index: 2, delta: { type: 'citations_delta', citation } }))
      .map((members) => frame('content_block_delta', members))
      .join('') +
    frame('content_block_stop', { index: 2 })

  test('T-R25 T-R43 is told the text and its pages; what a stream leaves out is in the ledger', async () => {
    using ledger = new LedgerFile()
    const events =
      messageStart({ input_tokens: 3 }) +
      whole(0, search) +
      whole(1, found) +
      frame('novel_event', { x: 1 }) +
      cited +
      ending()
    await using upstream = await startScriptedUpstream([sse([events])])
    await using gateway = await startGateway(servedBy('messages', upstream), ledger.path)
    const response = await gateway.post('/v1/chat/completions', { ...chatRequest, stream: true })
    const text = await response.text()
    expect(text).toContain('"url":"https://a.example/"')
    expect(text).not.toContain('tool_calls')
    expect(text).toEndWith('data: [DONE]\n\n')
    const notes = notesIn(ledger)
    for (const note of untold) expect(notes).toContainEqual(note)
    expect(notes).toContainEqual({ field: 'answer', what: 'novel_event left out' })
    expect(notes).toHaveLength(4)
  })

  test('T-R25 is told of a reply what it leaves out, and so is the ledger', async () => {
    using ledger = new LedgerFile()
    const reply = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'big-1',
      content: [search, found, { type: 'text', text: 'Found', citations: [page, place] }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    }
    await using upstream = await startScriptedUpstream([json(200, reply)])
    await using gateway = await startGateway(servedBy('messages', upstream), ledger.path)
    const response = await gateway.post('/v1/chat/completions', chatRequest)
    expect(response.headers.get('x-parley-notes')).toBe(
      untold.map(({ field, what }) => `${field}: ${what}`).join('; '),
    )
    expect(notesIn(ledger)).toEqual(untold)
  })
})

describe('an upstream that tells no usage', () => {
  test('S09 a chat caller of a messages upstream is told the estimate of the ledger, under the same id', async () => {
    using ledger = new LedgerFile()
    const events =
      messageStart({}) +
      textBlock(0, 'Hello', ' there') +
      messageDelta('end_turn', {}) +
      messageStop
    await using upstream = await startScriptedUpstream([sse([events])])
    await using gateway = await startGateway(servedBy('messages', upstream), ledger.path)
    const streamed = { ...chatRequest, stream: true, stream_options: { include_usage: true } }
    const text = await (await gateway.post('/v1/chat/completions', streamed)).text()
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    const row = ledger.rows[0]
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(row?.output).toBeGreaterThan(0)
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: row?.input, completion_tokens: row?.output },
    })
  })

  test('a messages caller of a chat upstream is told integers, in a stream and in a reply', async () => {
    using ledger = new LedgerFile()
    const message = { role: 'assistant', content: 'Hello' }
    const reply = {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    }
    const chunks = chatText(role, c('Hello'), F('stop'), DONE)
    await using upstream = await startScriptedUpstream([sse([chunks]), json(200, reply)])
    await using gateway = await startGateway(servedBy('chat-completions', upstream), ledger.path)
    const text = await (await gateway.post('/v1/messages', { ...asked, stream: true })).text()
    const delta = /^data: (.*"message_delta".*)$/m.exec(text)?.[1] ?? ''
    const told = await (await gateway.post('/v1/messages', asked)).json()
    const [streamed, replied] = ledger.rows
    expect(JSON.parse(delta).usage).toEqual({
      input_tokens: streamed?.input,
      output_tokens: streamed?.output,
    })
    expect(told).toMatchObject({
      usage: { input_tokens: replied?.input, output_tokens: replied?.output },
    })
    expect(replied?.output).toBe(2)
    expect(replied).toMatchObject({ counted: 'estimated' })
  })
})
