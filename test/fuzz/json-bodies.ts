import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ProtocolName } from '#chat/names.ts'
import type { Chance } from '#test/crash/seeded.ts'

import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson, textOf, type Tree, treeOf } from './mutate-json.ts'

export interface Body {
  readonly protocol: ProtocolName
  readonly text: string
}

/** A body that was good until something was changed in it. */
export function jsonBody(chance: Chance): Body {
  const protocol = chance.oneOf(protocols)
  const tree = chance.oneOf(bodies[protocol])
  const text = textOf(mutateJson(tree, chance))
  if (!chance.in(0.05)) return { protocol, text }
  const bytes = mutateBytes(Buffer.from(text), chance, [
    '{',
    '}',
    '"',
    ',',
    ':',
    '\\',
    '\uFEFF',
    '\0',
  ])
  return { protocol, text: Buffer.from(bytes).toString() }
}

const protocols: readonly ProtocolName[] = ['chat-completions', 'messages']

const image = 'data:image/png;base64,iVBORw0KGgo='
const schema = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['a', 'b'] }, n: { type: ['integer', 'null'] } },
  required: ['city'],
  additionalProperties: false,
}

const chatBodies: readonly object[] = [
  {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.', name: 's' },
      { role: 'developer', content: [{ type: 'text', text: 'And kind.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: image, detail: 'low' } },
          {
            type: 'file',
            file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a' },
          },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"city":"a"}' } },
          { id: 'call_2', type: 'custom', custom: { name: 'g', input: 'x' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'sun' }] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], refusal: 'no' },
      { role: 'user', content: 'Go on.' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'f', description: 'd', parameters: schema, strict: true },
      },
      { type: 'custom', custom: { name: 'g', format: { type: 'text' } } },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: false,
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 100,
    reasoning_effort: 'low',
    temperature: 0.5,
    top_p: 0.9,
    stop: ['END', 'STOP'],
    n: 1,
    seed: 7,
    user: 'u',
    metadata: { a: 'b' },
    response_format: { type: 'json_schema', json_schema: { name: 'o', schema, strict: true } },
    logit_bias: { '50256': -100 },
    presence_penalty: 0.1,
    verbosity: 'low',
    novel_field: { deep: [1, 2, { three: null }] },
  },
  {
    model: 'm',
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'ok' },
    ],
    functions: [{ name: 'f', parameters: { type: 'object', properties: {} } }],
    function_call: 'auto',
    max_tokens: 5,
    stop: 'x',
    logprobs: true,
    top_logprobs: 2,
    response_format: { type: 'json_object' },
  },
]

const messagesBodies: readonly object[] = [
  {
    model: 'm',
    max_tokens: 4000,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.', citations: null },
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
          },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          {
            type: 'document',
            title: 't',
            citations: { enabled: true },
            source: { type: 'text', media_type: 'text/plain', data: 'abc' },
          },
          {
            type: 'search_result',
            source: 's',
            title: 't',
            content: [{ type: 'text', text: 'r' }],
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'eHg=' },
          { type: 'text', text: 'I call.' },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { city: 'a' } },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            is_error: false,
            content: [
              { type: 'text', text: 'sun' },
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
              },
            ],
          },
          { type: 'text', text: 'Go on.' },
        ],
      },
      { role: 'assistant', content: 'So' },
    ],
    tools: [
      { name: 'f', description: 'd', input_schema: schema, cache_control: { type: 'ephemeral' } },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ],
    tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1024 },
    stop_sequences: ['END'],
    stream: true,
    temperature: 1,
    top_k: 5,
    metadata: { user_id: 'u' },
    service_tier: 'auto',
    output_config: { effort: 'high', format: { type: 'json_schema', schema } },
    novel_field: { deep: [1] },
  },
  { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }], system: 'Be.' },
]

const folder = new URL('../fixtures/chat-completions', import.meta.url).pathname

function recorded(): object[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.request.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

/** What only its own protocol can say is in the long bodies, but not in all of them: most have to be translatable. */
function translatable(body: object): object {
  const { tools, ...rest } = body as { readonly tools?: readonly { readonly type?: string }[] }
  const kept = tools?.filter(({ type = 'function' }) => type === 'function')
  const said = JSON.stringify(tools === undefined ? rest : { ...rest, tools: kept })
  return JSON.parse(said, (_key, value) => (Array.isArray(value) ? value.filter(isCommon) : value))
}

const uncommon = new Set([
  'server_tool_use',
  'web_search_tool_result',
  'custom',
  'search_result',
  'input_audio',
])

function isCommon(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null
  return !isObject || !('type' in value) || !uncommon.has(String(value.type))
}

const bodies: Readonly<Record<ProtocolName, readonly Tree[]>> = {
  'chat-completions': [...chatBodies, ...chatBodies.map(translatable), ...recorded()].map(treeOf),
  messages: [...messagesBodies, ...messagesBodies.map(translatable)].map(treeOf),
}
