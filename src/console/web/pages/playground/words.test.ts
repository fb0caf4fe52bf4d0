import { describe, expect, test } from 'bun:test'

import { type AnswerTurn, type Setting, type Turn, unheard } from './conversation.ts'
import { wordsOf } from './words.ts'

const setting: Setting = {
  system: 'Be brief.',
  maxTokens: 64,
  temperature: 0.5,
  topP: undefined,
  stop: ['END'],
  isStream: true,
  tools: [{ name: 'weather', description: 'At a place.', parameters: { type: 'object' } }],
}

const user = (text: string): Turn => ({ type: 'user', text, pictures: [] })
const answer = (more: Partial<AnswerTurn>): AnswerTurn => ({
  ...unheard,
  state: 'complete',
  ...more,
})

const call = { id: 'c1', name: 'weather', input: '{"place":"Oslo"}' }
const turns: readonly Turn[] = [
  { type: 'user', text: 'Look', pictures: [{ mediaType: 'image/png', base64: 'AAAA' }] },
  answer({ text: 'I do.', calls: [call] }),
  { type: 'results', results: [{ callId: 'c1', text: '-4' }] },
]

describe('a conversation in the words of its protocol', () => {
  test('chat completions', () => {
    expect(wordsOf['chat-completions'].bodyOf('m', setting, turns)).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'text', text: 'Look' },
          ],
        },
        {
          role: 'assistant',
          content: 'I do.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'weather', arguments: call.input } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '-4' },
      ],
      max_tokens: 64,
      temperature: 0.5,
      stop: ['END'],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'At a place.',
            parameters: { type: 'object' },
          },
        },
      ],
      stream: true,
    })
  })

  test('messages', () => {
    expect(wordsOf.messages.bodyOf('m', setting, turns)).toEqual({
      model: 'm',
      max_tokens: 64,
      system: 'Be brief.',
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
            },
            { type: 'text', text: 'Look' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I do.' },
            { type: 'tool_use', id: 'c1', name: 'weather', input: { place: 'Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: '-4' }],
        },
      ],
      temperature: 0.5,
      stop_sequences: ['END'],
      tools: [{ name: 'weather', description: 'At a place.', input_schema: { type: 'object' } }],
      stream: true,
    })
  })

  test('leaves out what nobody answered', () => {
    const failed = answer({ state: 'failed', problem: 'no' })
    const { messages } = wordsOf.messages.bodyOf('m', setting, [
      user('one'),
      failed,
      user('two'),
      answer({ state: 'stopped', text: 'Well' }),
      user('three'),
    ])
    expect(messages).toEqual([
      { role: 'user', content: 'two' },
      { role: 'assistant', content: [{ type: 'text', text: 'Well' }] },
      { role: 'user', content: 'three' },
    ])
  })
})

describe('an answer as it comes', () => {
  test('by chat completions, in parts that belong to several calls', () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      choices: [{ delta, finish_reason }],
    })
    const part = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] })
    const heard = [
      chunk({ role: 'assistant', reasoning_content: 'Hm' }),
      chunk({ content: 'It' }),
      chunk({ content: ' is' }),
      chunk(part(0, { id: 'a', function: { name: 'one', arguments: '{' } })),
      chunk(part(1, { id: 'b', function: { name: 'two', arguments: '{"x"' } })),
      chunk(part(0, { function: { arguments: '}' } })),
      chunk(part(1, { function: { arguments: ':1}' } })),
      chunk({}, 'tool_calls'),
      { choices: [], usage: {} },
      undefined,
    ].reduce<AnswerTurn>(wordsOf['chat-completions'].heard, unheard)
    expect(heard).toEqual({
      ...unheard,
      reasoning: 'Hm',
      text: 'It is',
      calls: [
        { id: 'a', name: 'one', input: '{}' },
        { id: 'b', name: 'two', input: '{"x":1}' },
      ],
      stopReason: 'tool_calls',
    })
  })

  test('by messages', () => {
    const delta = (more: object) => ({ type: 'content_block_delta', delta: more })
    const heard = [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', content_block: { type: 'thinking', thinking: '' } },
      delta({ type: 'thinking_delta', thinking: 'Hm' }),
      { type: 'content_block_start', content_block: { type: 'text', text: '' } },
      delta({ type: 'text_delta', text: 'It is' }),
      { type: 'content_block_start', content_block: { type: 'tool_use', id: 'a', name: 'one' } },
      delta({ type: 'input_json_delta', partial_json: '{"x":' }),
      delta({ type: 'input_json_delta', partial_json: '1}' }),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ].reduce<AnswerTurn>(wordsOf.messages.heard, unheard)
    expect(heard).toEqual({
      ...unheard,
      reasoning: 'Hm',
      text: 'It is',
      calls: [{ id: 'a', name: 'one', input: '{"x":1}' }],
      stopReason: 'tool_use',
    })
  })

  test('with the words of an error in it', () => {
    const error = { message: 'Too much.' }
    expect(wordsOf['chat-completions'].heard(unheard, { error }).problem).toBe('Too much.')
    expect(wordsOf.messages.heard(unheard, { type: 'error', error }).problem).toBe('Too much.')
  })
})

describe('an answer that comes at once', () => {
  test('by either protocol', () => {
    const chat = {
      choices: [
        {
          message: {
            content: 'Hi',
            tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{}' } }],
          },
          finish_reason: 'stop',
        },
      ],
    }
    const messages = {
      content: [
        { type: 'thinking', thinking: '' },
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'c1', name: 'weather', input: {} },
      ],
      stop_reason: 'stop',
    }
    const expected = {
      ...unheard,
      text: 'Hi',
      calls: [{ id: 'c1', name: 'weather', input: '{}' }],
      stopReason: 'stop',
    }
    expect(wordsOf['chat-completions'].read(unheard, chat)).toEqual(expected)
    expect(wordsOf.messages.read(unheard, messages)).toEqual(expected)
  })

  test('as a refusal, or as nothing that we know', () => {
    for (const words of Object.values(wordsOf)) {
      expect(words.read(unheard, { error: { message: 'No.' } }).problem).toBe('No.')
      for (const strange of [undefined, null, 3, 'x', [], { choices: 'x', content: 4 }])
        expect(words.read(unheard, strange)).toEqual(unheard)
    }
  })
})
