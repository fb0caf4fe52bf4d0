import { describe, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'

import {
  c,
  type Chunk,
  delta,
  DONE,
  F,
  piece,
  r,
  role,
  sse as chatText,
  USG,
} from './chat-answers.ts'
import { apiError, bodyOf, fixture, hello, hi } from './messages-callers.ts'
import {
  json,
  type RecordedRequest,
  type Script,
  sse,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// A coding agent's long session: a caller of the messages protocol that does not know it speaks to chat upstreams.

const turns = 64

/** The same numbers for the same seed, so that a session that fails fails again. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Beta = Anthropic.Beta.BetaMessageParam

const toolNames = [
  'Bash',
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'Glob',
  'Grep',
  'LS',
  'WebFetch',
  'WebSearch',
  'TodoWrite',
  'Task',
  'NotebookRead',
  'NotebookEdit',
  'ExitPlanMode',
  'KillShell',
  'BashOutput',
  'mcp__github__create_pull_request',
  'mcp__ide__getDiagnostics',
  'mcp__memory__open',
] as const

const tools: Anthropic.Beta.BetaTool[] = toolNames.map((name, index) => ({
  name,
  description: `The tool ${name}. `.repeat(20),
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'The absolute path', minLength: 1 },
      limit: { type: 'integer', exclusiveMinimum: 0, maximum: 9007199254740991 },
      mode: { enum: ['content', 'files_with_matches', 'count'] },
      edits: { type: 'array', items: { $ref: '#/$defs/edit' }, minItems: 1 },
    },
    $defs: {
      edit: { type: 'object', properties: { old: { type: 'string' }, new: { const: 'x' } } },
    },
    required: index % 2 === 0 ? ['file_path'] : [],
    additionalProperties: false,
  },
  ...(name === 'Task' && { eager_input_streaming: true }),
  ...(index === toolNames.length - 1 && { cache_control: { type: 'ephemeral' } }),
}))

/** What the agent says of itself in every request; the stamp in the first line is another one each time. */
function system(turn: number): Anthropic.Beta.BetaTextBlockParam[] {
  const stamp = (0x10000 + turn * 7919).toString(16)
  return [
    {
      type: 'text',
      text: `x-anthropic-billing-header: cc_version=2.1.181; cc_entrypoint=cli; cch=${stamp};`,
    },
    {
      type: 'text',
      text: 'You are Claude Code, the official CLI.',
      cache_control: { type: 'ephemeral', ttl: '1h', scope: 'global' } as never,
    },
    { type: 'text', text: 'Be brief.\n'.repeat(200), cache_control: { type: 'ephemeral' } },
  ]
}

const betas = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'prompt-caching-scope-2026-01-05',
]

/** The request of one turn, as the agent composes it: only its latest message is marked for the cache. */
function requestOf(messages: readonly Beta[], turn: number) {
  return {
    model: 'm',
    max_tokens: 32_000,
    system: system(turn),
    tools,
    messages: marked(messages),
    metadata: {
      user_id: JSON.stringify({
        device_id: 'ab'.repeat(32),
        account_uuid: '',
        session_id: '0f5b6a3e-8a43-4a0e-9d53-6fd0b58d3c11',
      }),
    },
    thinking: { type: 'adaptive' as const },
    output_config: { effort: 'high' as const },
    context_management: {
      edits: [{ type: 'clear_thinking_20251015' as const, keep: 'all' as const }],
    },
    betas,
  }
}

function marked(messages: readonly Beta[]): Beta[] {
  const last = messages.findLastIndex(({ role: who }) => who === 'user')
  return messages.map((message, index) => {
    const { content } = message
    if (index !== last || !Array.isArray(content)) return message
    const cache_control = { type: 'ephemeral' as const }
    const marks = content.map((block, at) =>
      at === content.length - 1 ? { ...block, cache_control } : block,
    )
    return { role: 'user', content: marks as Anthropic.Beta.BetaContentBlockParam[] }
  })
}

/** What an upstream means to say in one turn. */
interface Plan {
  readonly thought: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[]
}

function planOf(turn: number, random: (below: number) => number): Plan {
  // Now and then the agent is done with a task, and its user gives it the next one.
  const count = turn % 9 === 8 ? 0 : 1 + random(3)
  const calls = Array.from({ length: count }, (_, at) => ({
    id: idOf(turn, at),
    name: toolNames[random(toolNames.length)] ?? 'Bash',
    args: random(8) === 0 ? '' : argumentsOf(turn, at),
  }))
  return {
    thought: random(3) === 0 ? '' : `Turn ${turn}: I should “look” at it.\n`,
    text: count === 0 || random(2) === 0 ? `Doing step ${turn} 🙂.` : '',
    calls,
  }
}

/** Ids as vendors and servers make them; one of them is no word, and one server counts its calls. */
function idOf(turn: number, at: number): string {
  const kinds = [
    `call_${turn}x${at}`,
    `chatcmpl-tool-${turn}${at}ef`,
    `functions.Bash:${turn * 10 + at}`,
  ]
  return kinds[turn % kinds.length] ?? ''
}

function argumentsOf(turn: number, at: number): string {
  return `{"file_path": "/src/a${turn}.ts", "limit":${at + 1}.0, "edits":[{"old":"\\u00e9 \\"{[","new":"x"}]}`
}

/** The ways in which servers stream the same answer. */
const streamers: readonly ((plan: Plan, random: (below: number) => number) => Chunk[])[] = [
  // As OpenAI does: a role, text in pieces, calls one after the other in fragments.
  ({ text, calls }, random) => [
    role,
    ...fragments(text, random).map((one) => c(one)),
    ...calls.flatMap(({ id, name, args }, index) => [
      delta({ tool_calls: [piece(index, id, name, '')] }),
      ...fragments(args, random).map((one) =>
        delta({ tool_calls: [piece(index, undefined, undefined, one)] }),
      ),
    ]),
    F(calls.length > 0 ? 'tool_calls' : 'stop'),
  ],
  // As vLLM does: thoughts under a member of their own, each call whole in one chunk, and a stop_reason.
  ({ thought, text, calls }, random) => [
    delta({ role: 'assistant', content: '' }),
    ...fragments(thought, random).map((one) => delta({ reasoning: one })),
    ...fragments(text, random).map((one) => c(one)),
    ...calls.map(({ id, name, args }, index) =>
      delta({ tool_calls: [piece(index, id, name, args)] }),
    ),
    F(calls.length > 0 ? 'tool_calls' : 'stop', { stop_reason: null }),
  ],
  // Calls side by side, their arguments interleaved, and the end said as an ordinary stop.
  ({ thought, text, calls }, random) => [
    role,
    ...fragments(thought, random).map((one) => r(one)),
    ...(text === '' ? [] : [c(text)]),
    delta({ tool_calls: calls.map(({ id, name }, index) => piece(index, id, name, '')) }),
    ...interleaved(calls, random),
    F('stop'),
  ],
  // Everything at once, the end included.
  ({ thought, text, calls }) => [
    delta(
      {
        role: 'assistant',
        content: text,
        reasoning_content: thought,
        tool_calls: calls.map(({ id, name, args }, index) => piece(index, id, name, args)),
      },
      { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' },
    ),
  ],
]

function fragments(text: string, random: (below: number) => number): string[] {
  const letters = Array.from(text)
  const parts: string[] = []
  while (letters.length > 0) parts.push(letters.splice(0, 1 + random(9)).join(''))
  return parts
}

function interleaved(calls: Plan['calls'], random: (below: number) => number): Chunk[] {
  const rest = calls.map(({ args }) => fragments(args, random))
  const chunks: Chunk[] = []
  while (rest.some((parts) => parts.length > 0)) {
    const index = random(rest.length)
    const part = rest[index]?.shift()
    if (part !== undefined)
      chunks.push(delta({ tool_calls: [piece(index, undefined, undefined, part)] }))
  }
  return chunks
}

interface ChatMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { arguments: string } }[]
}

/** Checks that every call of the history is answered, in order and at once, and that nothing else is. */
function checkPairs(messages: readonly ChatMessage[]): void {
  let open: string[] = []
  for (const { role: who, tool_call_id: id, tool_calls: calls = [] } of messages) {
    if (who === 'tool') expect(open.shift()).toBe(id ?? 'no id')
    else expect(open).toEqual([])
    for (const call of calls) JSON.parse(call.function.arguments)
    open = who === 'assistant' ? calls.map((call) => call.id) : open
  }
  expect(open).toEqual([])
}

/** What the agent does with an answer: runs the tools, or hands over to its user. */
function reactionTo(message: Anthropic.Beta.BetaMessage, turn: number): Beta[] {
  const calls = message.content.filter((block) => block.type === 'tool_use')
  const reminder = {
    type: 'text' as const,
    text: `<system-reminder>Turn ${turn}</system-reminder>`,
  }
  if (calls.length === 0) {
    return [{ role: 'user', content: [reminder, { type: 'text', text: `Now do task ${turn}.` }] }]
  }
  const results = calls.map(({ id }, at): Anthropic.Beta.BetaToolResultBlockParam => {
    const outcome = (turn + at) % 5
    return {
      type: 'tool_result',
      tool_use_id: id,
      ...(outcome === 0 && { content: 'ENOENT: no such file', is_error: true }),
      ...(outcome === 1 && { content: [{ type: 'text', text: '1\timport x' }] }),
      ...(outcome === 2 && { content: [{ type: 'text', text: 'a shot' }, shot] }),
      ...(outcome === 3 && { content: `line ${turn}\n`.repeat(30) }),
    }
  })
  const said: Beta = { role: 'user', content: turn % 4 === 0 ? [...results, reminder] : results }
  const entry: Beta = { role: 'system', content: `The user opened the file b${turn}.ts.` }
  return turn % 3 === 0 ? [said, entry] : [said]
}

const shot: Anthropic.Beta.BetaImageBlockParam = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
}

function clientOf(gateway: TestGateway): Anthropic {
  return new Anthropic({
    baseURL: gateway.url,
    apiKey: gateway.key,
    maxRetries: 0,
    defaultQuery: { beta: 'true' },
    defaultHeaders: {
      'anthropic-version': '2023-06-01',
      'x-app': 'cli',
      'user-agent': 'claude-cli/2.1.181 (external, cli)',
      'x-claude-code-session-id': '0f5b6a3e-8a43-4a0e-9d53-6fd0b58d3c11',
    },
  })
}

/** The vendors whose dialects differ most in what goes back to them. */
const vendors = ['vllm', 'openai', 'deepseek', 'mistral'] as const

describe('a session of many turns', () => {
  test.each(vendors)(
    'T-K02 T-Q05 REQ-32 every request to %s goes on from the bytes of the one before, and every call is paired',
    async (vendor) => {
      const random = numbers(vendors.indexOf(vendor) + 7)
      const plans = Array.from({ length: turns }, (_, turn) => planOf(turn, random))
      const answer = ({ index }: RecordedRequest): Script => {
        const plan = plans[index] ?? { thought: '', text: 'Done.', calls: [] }
        const chunks = streamers[index % streamers.length]?.(plan, random) ?? []
        return sse([chatText(...chunks, USG(1000 + index, 20, 900), DONE)])
      }
      await using upstream = await startScriptedUpstream(answer)
      await using gateway = await startGateway({
        upstreams: { up: { vendor, url: upstream.url, key: 'sk-up', serves: ['m'] } },
      })
      const client = clientOf(gateway)
      const messages: Beta[] = [{ role: 'user', content: [{ type: 'text', text: 'Fix the bug.' }] }]
      for (const [turn, plan] of plans.entries()) {
        const message = await client.beta.messages.stream(requestOf(messages, turn)).finalMessage()
        checkAnswer(message, plan)
        messages.push(
          { role: 'assistant', content: message.content as Anthropic.Beta.BetaContentBlockParam[] },
          ...reactionTo(message, turn),
        )
      }
      expect(upstream.requests).toHaveLength(turns)
      for (const [index, { body }] of upstream.requests.entries()) {
        const former = upstream.requests[index - 1]?.body
        // All but the brackets that close the list of messages, which comes last.
        if (former !== undefined) expect(body.startsWith(former.slice(0, -2))).toBe(true)
        expect(body).not.toContain('x-anthropic-billing-header')
        expect(body).not.toContain('cache_control')
      }
      checkPairs(bodyOf(await upstream.request(turns - 1))['messages'] as ChatMessage[])
      checkPairs(bodyOf(await upstream.request(turns - 2))['messages'] as ChatMessage[])
    },
  )
})

/** An answer says what the upstream meant, each call whole and under its own name. */
function checkAnswer(message: Anthropic.Beta.BetaMessage, plan: Plan): void {
  const calls = message.content.filter((block) => block.type === 'tool_use')
  expect(calls.map(({ id, name, input }) => ({ id, name, input }))).toEqual(
    plan.calls.map(({ id, name, args }) => ({
      id,
      name,
      input: JSON.parse(args === '' ? '{}' : args) as unknown,
    })),
  )
  const texts = message.content.filter((block) => block.type === 'text')
  expect(texts.map(({ text }) => text).join('')).toBe(plan.text)
  expect(message.stop_reason).toBe(plan.calls.length > 0 ? 'tool_use' : 'end_turn')
  expect(message.usage).toMatchObject({ cache_read_input_tokens: 900, output_tokens: 20 })
}

describe('what else an agent relies on', () => {
  test('REQ-32 its request reaches the first party byte for byte', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway({
      upstreams: {
        up: { vendor: 'anthropic', url: upstream.origin, key: 'sk-ant', serves: ['m'] },
      },
    })
    const sent: string[] = []
    const client = clientOf(gateway).withOptions({
      fetch: Object.assign(
        (...[url, init]: Parameters<typeof fetch>) => {
          if (typeof init?.body === 'string') sent.push(init.body)
          return fetch(url, init)
        },
        { preconnect: () => undefined },
      ),
    })
    await client.beta.messages
      .stream(requestOf([...hi, { role: 'assistant', content: 'x' }, ...hi], 3))
      .finalMessage()
    const { body, headers } = await upstream.request(0)
    expect(body).toBe(sent[0] ?? 'nothing was sent')
    expect(headers.get('anthropic-beta')).toBe(betas.join(','))
    expect(headers.get('anthropic-version')).toBe('2023-06-01')
  })

  test('T-E02 it is told when to shorten its history, whichever protocol the upstream speaks', async () => {
    const long = json(400, {
      error: {
        message:
          'request (209391 tokens) exceeds the available context size (200000 tokens), try increasing it',
        type: 'exceed_context_size_error',
        code: 400,
      },
    })
    await using server = await startScriptedUpstream([long])
    await using vendor = await startScriptedUpstream([
      json(400, fixture('error-400-prompt-too-long.json')),
    ])
    await using gateway = await startGateway({
      upstreams: {
        server: { vendor: 'llamacpp', url: server.url, serves: ['small'] },
        vendor: { protocol: 'messages', url: vendor.origin, serves: ['large'] },
      },
    })
    for (const model of ['small', 'large']) {
      const request = { ...requestOf(hi, 0), model }
      const error = await apiError(
        clientOf(gateway).beta.messages.create({ ...request, max_tokens: 16 }),
      )
      expect(error.status).toBe(400)
      expect(error.apiMessage).toContain('prompt is too long: 209391 tokens > 200000 maximum')
    }
  })

  test('T-I01 T-N34 the ids of its calls come back as the upstream gave them, and pair there again', async () => {
    const id = 'functions.Bash:0'
    await using upstream = await startScriptedUpstream((request) =>
      request.index === 0
        ? sse([
            chatText(
              role,
              delta({ tool_calls: [piece(0, id, 'Bash', '{}')] }),
              F('tool_calls'),
              DONE,
            ),
          ])
        : hello['chat-completions'](request),
    )
    await using gateway = await startGateway({
      upstreams: { up: { protocol: 'chat-completions', url: upstream.url, serves: ['m'] } },
    })
    const client = clientOf(gateway)
    const first = await client.beta.messages.stream(requestOf(hi, 0)).finalMessage()
    expect(first.content).toMatchObject([{ type: 'tool_use', id }])
    const history: Beta[] = [
      ...hi,
      { role: 'assistant', content: first.content as Anthropic.Beta.BetaContentBlockParam[] },
      ...reactionTo(first, 1),
    ]
    await client.beta.messages.stream(requestOf(history, 1)).finalMessage()
    checkPairs(bodyOf(await upstream.request(1))['messages'] as ChatMessage[])
    expect((await upstream.request(1)).body).toContain(`"tool_call_id":"${id}"`)
  })
})
