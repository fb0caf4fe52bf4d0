import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Admission } from '#chat/admission.ts'
import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { ModelName, UpstreamModel } from '#chat/names.ts'
import type { Step } from '#chat/step.ts'
import type { Grant, Ledger, NewEntry, Outcome } from '#ledger/entry.ts'
import { Prices } from '#prices/prices.ts'
import { brandAs } from '#std/brand.ts'
import { remote } from '#test/remote-rig.ts'

import { Account } from './account.ts'

/** A ledger that keeps what it is told, and the order of everything in `log`. */
class NoteBook implements Ledger {
  readonly log: string[] = []
  readonly outcomes: Outcome[] = []
  failure: Error | undefined

  async begin(entry: NewEntry): Promise<Grant> {
    this.log.push(`begin ${entry.id}`)
    return { outputCap: entry.hold.outputCap, isLowered: false, held: 0, isStrict: false }
  }

  async settle(id: string, outcome: Outcome): Promise<void> {
    this.log.push(`settling ${id}`)
    await Promise.resolve()
    if (this.failure !== undefined) throw this.failure
    this.log.push(`settled ${outcome.result}`)
    this.outcomes.push(outcome)
  }
}

const facts = {
  id: 'req-1',
  keyId: 'key-1',
  endpoint: 'chat',
  protocol: 'messages',
  projectId: 'default',
  model: brandAs<ModelName>('fast'),
  stream: true,
  startedAt: 1,
  body: { text: 'x'.repeat(400), value: {}, members: [] },
  media: { images: 0, files: 0, imageLength: 0, fileLength: 0 },
  targets: [],
  route: 'only target',
} as const

const admission: Admission = { limits: () => new Map(), settle: () => {}, cancel: () => {} }

function opened(ledger: Ledger): Promise<Account> {
  return Account.open({ ledger, prices: new Prices({}) }, admission, facts)
}

const usage = (input?: number, output?: number): Step => ({
  means: [
    {
      type: 'usage',
      usage: { ...(input !== undefined && { input }), ...(output !== undefined && { output }) },
    },
  ],
})
const text = (words: string): Step => ({ means: [{ type: 'block-delta', text: words }] })
const end: Step = { means: [{ type: 'answer-end', reason: 'end' }], said: 'data: [DONE]\n\n' }

async function* given(steps: readonly Step[], failure?: unknown): AsyncGenerator<Step> {
  for (const step of steps) yield step
  if (failure !== undefined) throw failure
}

interface Run {
  readonly steps: readonly Step[]
  /** Thrown after the steps. */
  readonly failure?: unknown
  /** The caller leaves after so many steps. */
  readonly leavesAfter?: number
}

/** Lets an answer pass through the meter, and says what was written and what came out. */
async function run({ steps, failure, leavesAfter = Infinity }: Run, book = new NoteBook()) {
  const account = await opened(book)
  let thrown: unknown
  let seen = 0
  try {
    for await (const step of account.metered({ steps: given(steps, failure) }).steps) {
      book.log.push(step.means.some(({ type }) => type === 'answer-end') ? 'end seen' : 'seen')
      if (++seen >= leavesAfter) break
    }
  } catch (error) {
    thrown = error
  }
  return { log: book.log, outcomes: book.outcomes, thrown, seen }
}

const codeOf = (error: unknown): string => (error instanceof GatewayError ? error.code : 'none')

describe('the order of accounting', () => {
  test('gives the end of an answer out only when its outcome is written', async () => {
    const { log } = await run({ steps: [text('a'), usage(10, 5), end] })
    expect(log).toEqual([
      'begin req-1',
      'seen',
      'seen',
      'settling req-1',
      'settled complete',
      'end seen',
    ])
  })

  test('never gives the end out if the outcome could not be written', async () => {
    const book = new NoteBook()
    book.failure = new GatewayError('storage-unavailable', 'full')
    const { log, thrown } = await run({ steps: [text('a'), usage(10, 5), end] }, book)
    expect(codeOf(thrown)).toBe('storage-unavailable')
    expect(log).not.toContain('end seen')
  })

  test('tells the failure of the answer, not the one to write it down', async () => {
    const book = new NoteBook()
    book.failure = new GatewayError('storage-unavailable', 'full')
    const failure = new GatewayError('upstream-lost', 'lost')
    expect((await run({ steps: [text('a')], failure }, book)).thrown).toBe(failure)
  })
})

describe('an answer is reported exactly once', () => {
  test('however it ends', async () => {
    const failures = [
      new GatewayError('upstream-lost', 'lost'),
      new GatewayError('client-gone', 'gone'),
      new Error('a bug'),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(text('one'), usage(3), usage(undefined, 2)), { maxLength: 6 }),
        fc.constantFrom(undefined, ...failures),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (body, failure, ends, leavesAfter) => {
          const steps = ends ? [...body, end] : body
          const { outcomes, thrown, seen } = await run({ steps, failure, leavesAfter })
          expect(outcomes).toHaveLength(1)
          const isWhole = ends && seen === steps.length
          const left = seen === leavesAfter
          const code = failure === failures[1] ? 'client-left' : codeOf(GatewayError.from(failure))
          const broken = failure === undefined ? 'upstream-lost' : code
          expect(outcomes[0]?.result).toBe(isWhole ? 'complete' : left ? 'client-left' : broken)
          expect(thrown === undefined).toBe(left || isWhole)
        },
      ),
    )
  })

  test('even if the caller leaves before the first step was asked for', async () => {
    const book = new NoteBook()
    const account = await opened(book)
    const steps = account.metered({ steps: given([text('a'), end]) }).steps
    await steps[Symbol.asyncIterator]().return?.()
    expect(book.outcomes).toMatchObject([{ result: 'client-left', counted: 'none' }])
  })

  test('with the code of the failure that came before any step', async () => {
    const book = new NoteBook()
    const account = await opened(book)
    const failure = new GatewayError('upstream-busy', 'busy')
    const thrown: unknown = await account
      .during(Promise.reject(failure))
      .catch((error: unknown) => error)
    expect(thrown).toBe(failure)
    expect(book.outcomes).toMatchObject([{ result: 'upstream-busy', usage: {}, counted: 'none' }])
  })

  test('and an answer that stops without its end is one that was lost', async () => {
    const { thrown, outcomes } = await run({ steps: [text('a'), usage(1, 2)] })
    expect(codeOf(thrown)).toBe('upstream-lost')
    expect(outcomes).toMatchObject([{ result: 'upstream-lost' }])
  })
})

describe('a caller who is told an answer in our words', () => {
  test('S09 is told the estimate that the ledger has, where the upstream told no usage', async () => {
    const book = new NoteBook()
    const account = await opened(book)
    const bareEnd: Step = { means: [{ type: 'answer-end', reason: 'end' }] }
    const seen: Step[] = []
    const steps = given([text('x'.repeat(36)), bareEnd])
    for await (const step of account.metered({ steps }).steps) seen.push(step)
    expect(seen.at(-1)?.means).toEqual([
      { type: 'usage', usage: { input: 100, output: 10 } },
      { type: 'note', field: 'answer.usage', what: 'estimated' },
      { type: 'answer-end', reason: 'end' },
    ])
    expect(book.outcomes).toMatchObject([{ usage: { input: 100, output: 10 } }])
  })

  test('is told nothing more where the upstream counted', async () => {
    const account = await opened(new NoteBook())
    const bareEnd: Step = { means: [{ type: 'answer-end', reason: 'end' }] }
    const seen: Step[] = []
    const steps = given([text('x'), usage(3, 1), bareEnd])
    for await (const step of account.metered({ steps }).steps) seen.push(step)
    expect(seen.at(-1)).toBe(bareEnd)
  })

  test('T-R25 T-R43 has in the ledger what it could not be told, each once', async () => {
    const book = new NoteBook()
    const account = await opened(book)
    const note = { field: 'answer.content', what: 'left out' }
    const untold = ({ type }: ChatEvent) => (type === 'block-delta' ? note : undefined)
    const steps = given([text('a'), text('b'), usage(1, 2), end])
    for await (const _ of account.metered({ steps }, { untold }).steps);
    expect(book.outcomes).toMatchObject([{ notes: [note] }])
  })

  test('unless it was told in the words of the upstream', async () => {
    const book = new NoteBook()
    const account = await opened(book)
    const untold = () => ({ field: 'answer', what: 'left out' })
    const words = { protocol: 'messages', form: 'stream' } as const
    const steps = given([text('a'), usage(1, 2), end])
    for await (const _ of account.metered({ steps, words }, { untold }).steps);
    expect(book.outcomes).toMatchObject([{ notes: [] }])
  })
})

describe('what is counted', () => {
  test('is what the upstream told of a whole answer, to the token', async () => {
    const { outcomes } = await run({ steps: [usage(10), text('hello'), usage(12, 5), end] })
    expect(outcomes).toMatchObject([{ usage: { input: 12, output: 5 }, counted: 'exact' }])
  })

  test('of an answer that the caller left is what was delivered of it, never nothing (P6)', async () => {
    const steps = [usage(10, 1), text('x'.repeat(360)), text('never seen'), end]
    const { outcomes } = await run({ steps, leavesAfter: 2 })
    expect(outcomes).toMatchObject([
      { result: 'client-left', usage: { input: 10, output: 100 }, counted: 'estimated' },
    ])
  })

  test('of an answer that the caller left after its last count is that count', async () => {
    const told = await run({ steps: [usage(10, 1), text('hello'), usage(12, 5)], leavesAfter: 3 })
    expect(told.outcomes).toMatchObject([{ usage: { input: 12, output: 5 }, counted: 'exact' }])
    const steps = [usage(10, 1), text('hello'), usage(12, 5), text('and more')]
    const { outcomes } = await run({ steps, leavesAfter: 4 })
    expect(outcomes).toMatchObject([{ usage: { input: 12, output: 5 }, counted: 'estimated' }])
  })

  test('of many short pieces is a token for each at least', async () => {
    const { outcomes } = await run({
      steps: Array.from({ length: 30 }, () => text('a')),
      leavesAfter: 30,
    })
    expect(outcomes).toMatchObject([{ usage: { output: 30 }, counted: 'estimated' }])
  })

  test('of an exchange whose caller left before anything came is what an upstream was asked (P6)', async () => {
    const book = new NoteBook()
    const account = await opened(book)
    const upstream = remote({ name: 'gpu-box', protocol: 'chat-completions', url: 'http://a' })
    account.onAttempt({ model: upstream.target(brandAs<UpstreamModel>('m')) }, 1)
    await account.close('client-left')
    expect(book.outcomes).toMatchObject([{ usage: { input: 100 }, counted: 'estimated' }])
  })

  test('of an answer that broke off is completed with what was asked', async () => {
    const { outcomes } = await run({ steps: [text('x'.repeat(36))], failure: new Error('broken') })
    expect(outcomes).toMatchObject([{ usage: { input: 100, output: 10 }, counted: 'estimated' }])
  })

  test('is never less than what the upstream told, nor told as an estimate if nothing was delivered', async () => {
    const told = await run({ steps: [usage(10, 500), text('short')], leavesAfter: 2 })
    expect(told.outcomes).toMatchObject([{ usage: { output: 500 }, counted: 'estimated' }])
    const bare = await run({ steps: [usage(10, 1)], leavesAfter: 1 })
    expect(bare.outcomes).toMatchObject([{ usage: { input: 10, output: 1 }, counted: 'exact' }])
  })

  test('of a whole answer that nobody counted is an estimate', async () => {
    const { outcomes } = await run({ steps: [text('x'.repeat(36)), end] })
    expect(outcomes).toMatchObject([
      { result: 'complete', usage: { output: 10 }, counted: 'estimated' },
    ])
  })

  test('of a very long answer is estimated from its beginning and its length', async () => {
    const steps = Array.from({ length: 500 }, () => text('x'.repeat(3600)))
    const { outcomes } = await run({ steps, leavesAfter: 500 })
    expect(outcomes[0]?.usage.output).toBe(500_000)
  })

  test('of an exchange without steps is what it is given', async () => {
    const book = new NoteBook()
    const account = await opened(book)
    const upstream = remote({ name: 'gpu-box', protocol: 'chat-completions', url: 'http://a' })
    account.onAttempt({ model: upstream.target(brandAs<UpstreamModel>('embed')) }, 2)
    await account.complete({ input: 7 })
    expect(book.outcomes).toMatchObject([
      {
        result: 'complete',
        usage: { input: 7 },
        counted: 'exact',
        target: 'gpu-box/embed',
        attempts: 2,
      },
    ])
  })
})
