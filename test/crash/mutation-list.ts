/** A bug as a change of the sources: the text that stands once in a file, and what is put in its place. */
export interface Mutation {
  /** What goes wrong with it. */
  readonly name: string
  readonly file: string
  readonly find: string
  readonly put: string
  /** The tests that should notice, the likeliest first. */
  readonly tests: readonly string[]
}

/** Bugs that gateways of this kind have shipped, each of them in a release that people paid by. */
export const mutations: readonly Mutation[] = [
  {
    name: 'the end is told before the usage is on disk',
    file: 'src/usage/meter.ts',
    find: `await this.#account.close('complete')`,
    put: `void this.#account.close('complete')`,
    tests: ['src/usage/meter.test.ts', 'test/kill.test.ts'],
  },
  {
    name: 'a budget is checked without what is under way',
    file: 'src/budgets/reserve.ts',
    find: 'return amount - balance.used - balance.held',
    put: 'return amount - balance.used',
    tests: ['src/ledger/ledger-laws.test.ts', 'test/kill.test.ts'],
  },
  {
    name: 'a start adds the ledger to the balance once more',
    file: 'src/ledger/boot.ts',
    find: 'book.within(now, () => closeDead(book, { file: storage.file, own: boot.id }))',
    put: `book.within(now, () => closeDead(book, { file: storage.file, own: boot.id }))
      storage.database.run("UPDATE balances SET used = used + (SELECT coalesce(sum(cost), 0) FROM ledger) WHERE holder = 'org' AND period = 'total'")`,
    tests: ['src/ledger/ledger-laws.test.ts', 'test/kill.test.ts'],
  },
  {
    name: 'a place among those under way is never given back',
    file: 'src/limits/counted-admission.ts',
    find: 'if (held !== undefined) this.#counting.freed(held)',
    put: '',
    tests: ['src/limits/limiter.test.ts'],
  },
  {
    name: 'a client that leaves is given its money back',
    file: 'src/usage/account.ts',
    find: 'cost: price === undefined ||',
    put: `cost: result === 'client-left' || price === undefined ||`,
    tests: ['test/abort-matrix.test.ts'],
  },
  {
    name: 'the counts of a stream are added up, though each holds those before it',
    file: 'src/chat/usage.ts',
    find: `...pick('output', report.output ?? known.output),`,
    put: `...pick('output', (report.output ?? 0) + (known.output ?? 0)),`,
    tests: ['test/kill.test.ts'],
  },
  {
    name: 'an exchange that is settled twice is charged twice',
    file: 'src/ledger/ledger-book.ts',
    find: 'this.#forget.run(id)\n    this.#holds.delete(id)',
    put: '',
    tests: ['src/ledger/ledger.test.ts'],
  },
  {
    name: 'what was held for an exchange that failed stays held',
    file: 'src/usage/account.ts',
    find: 'await this.close(resultOf(error), error).catch(() => undefined)',
    put: '',
    tests: ['src/usage/meter.test.ts', 'test/kill.test.ts'],
  },
  {
    name: 'an exchange that was under way when the process died costs nothing',
    file: 'src/ledger/ledger-book.ts',
    find: 'this.#charge(id, hold, hold.held)',
    put: 'this.#charge(id, hold, 0)',
    tests: ['src/ledger/ledger.test.ts', 'src/ledger/ledger-laws.test.ts', 'test/kill.test.ts'],
  },
  {
    name: 'a clock that is set back opens a period again that was spent',
    file: 'src/budgets/balances.ts',
    find: 'Math.max(startsAt, latest?.starts_at ?? 0)',
    put: 'startsAt',
    tests: ['src/ledger/ledger-laws.test.ts', 'src/ledger/ledger.test.ts'],
  },
  {
    name: 'a request that is refused for its rate uses up the rate',
    file: 'src/limits/limiter.ts',
    find: 'if (binding !== undefined) throw refusalOf(binding, limitReport(places, now))\n    for (const place of places) charge(place, asked, now)',
    put: 'for (const place of places) charge(place, asked, now)\n    if (binding !== undefined) throw refusalOf(binding, limitReport(places, now))',
    tests: ['src/limits/limiter.test.ts'],
  },
  {
    name: 'a commit is not synced to the disk',
    file: 'src/storage/connection.ts',
    find: `'PRAGMA synchronous = FULL'`,
    put: `'PRAGMA synchronous = NORMAL'`,
    tests: ['src/storage/database.test.ts'],
  },
  {
    name: 'after a failed fsync the ledger goes on as if nothing had been',
    file: 'src/ledger/ledger.ts',
    find: 'if (!cause.mayPass) this.#failure ??= failure',
    put: '',
    tests: ['src/ledger/ledger.test.ts', 'test/kill.test.ts'],
  },
]
