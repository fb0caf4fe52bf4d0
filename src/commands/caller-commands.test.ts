import { afterAll, describe, expect, test } from 'bun:test'

import { Budgets } from '#budgets/budgets.ts'
import { budgetTable, lastsUntil } from '#commands/keys/budget-words.ts'
import { Keys } from '#keys/keys.ts'
import { Storage } from '#storage/database.ts'
import { databaseFile } from '#storage/home.ts'
import { removeHomes, type Terminal, terminal, terminalNow } from '#test/terminal.ts'

import { exitCodes } from './exit-codes.ts'
import { processOutside } from './outside.ts'

afterAll(removeHomes)

/** Runs a command with --json and gives what it printed. */
async function json(at: Terminal, ...args: string[]) {
  const { printed, hinted, exitCode } = await at.run(...args, '--json')
  expect([args, hinted, exitCode]).toEqual([args, expect.any(String), exitCodes.done])
  return JSON.parse(printed)
}

const everyLimit = [
  '--models',
  'gpt-*, fast',
  '--endpoints',
  'messages,models',
  '--addresses',
  '10.0.0.0/8',
  '--max-tokens',
  '4k',
  '--concurrency',
  '3',
  '--content-logging',
  'off',
  '--rpm',
  '60',
  '--rpd',
  '1k',
  '--itpm',
  '1',
  '--itpd',
  '2',
  '--otpm',
  '3',
  '--otpd',
  '4',
  '--tpm',
  '200k',
  '--tpd',
  '2M',
  '--tag',
  'team=search',
  '--tag',
  'cost-centre=17 b',
]

const everyLimitRead = {
  models: ['gpt-*', 'fast'],
  endpoints: ['messages', 'models'],
  addresses: ['10.0.0.0/8'],
  maxTokens: 4000,
  concurrency: 3,
  contentLogging: false,
  rates: {
    requestsPerMinute: 60,
    requestsPerDay: 1000,
    inputTokensPerMinute: 1,
    inputTokensPerDay: 2,
    outputTokensPerMinute: 3,
    outputTokensPerDay: 4,
    tokensPerMinute: 200_000,
    tokensPerDay: 2_000_000,
  },
  tags: { team: 'search', 'cost-centre': '17 b' },
}

describe('a key', () => {
  test('is issued with everything that it is held to, and shown with it', async () => {
    const at = terminal()
    await json(at, 'projects', 'create', '--name', 'search', '--tpm', '2M')
    const times = ['--not-before', '1h', '--expires', '2026-12-31', '--owner', 'Ann']
    const budgets = ['--budget', '50/month', '--budget', '$2.50/day']
    const { id, key } = await json(
      at,
      'keys',
      'create',
      '--name',
      'bot',
      '--project',
      'search',
      ...times,
      ...everyLimit,
      ...budgets,
    )
    const shown = await json(at, 'keys', 'show', id)
    expect(shown).toMatchObject({
      id,
      name: 'bot',
      status: 'early',
      projectName: 'search',
      owner: 'Ann',
      notBefore: '2026-01-31T15:05:00.000Z',
      expiresAt: '2026-12-31T00:00:00.000Z',
      lastUsedAt: null,
      policy: everyLimitRead,
      parents: { project: { rates: { tokensPerMinute: 2_000_000 } }, organisation: {} },
      budgets: [
        { period: 'day', amount: 2_500_000, isStrict: true, used: 0, held: 0, left: 2_500_000 },
        { period: 'month', amount: 50_000_000, isStrict: true },
      ],
    })
    expect(JSON.stringify(shown)).not.toContain(key)
    const { printed } = await at.run('keys', 'show', id)
    for (const words of [
      /^status +early$/m,
      /^limit +this key +project search +organisation$/m,
      /^models +gpt-\*, fast +– +–$/m,
      /^tokens a minute, input and output +200,000 +2,000,000 +–$/m,
      /^month +\$50\.00 +\$0\.00 +\$0\.00 +\$50\.00 +░+ 0% +–$/m,
    ])
      expect(printed).toMatch(words)
    expect((await at.run('keys', 'list')).printed).toContain('gpt-*,fast · 2 endpoints')
  })

  test('is changed in what is named, and loses what is named none', async () => {
    const at = terminal()
    const { id } = await json(
      at,
      'keys',
      'create',
      '--name',
      'bot',
      ...everyLimit,
      '--budget',
      '5/day',
    )
    const changed = await json(
      at,
      'keys',
      'update',
      id,
      '--name',
      'bot 2',
      '--models',
      'none',
      '--rpm',
      '90',
      '--tpd',
      'none',
      '--tag',
      'team=',
      '--budget',
      '7/day',
      '--soft',
      '--owner',
      'Bo',
    )
    const { models: _models, ...rest } = everyLimitRead
    const { tokensPerDay: _tokensPerDay, ...rates } = everyLimitRead.rates
    expect(changed).toMatchObject({ name: 'bot 2', owner: 'Bo' })
    expect(changed.policy).toEqual({
      ...rest,
      rates: { ...rates, requestsPerMinute: 90 },
      tags: { 'cost-centre': '17 b' },
    })
    expect(changed.budgets).toMatchObject([{ period: 'day', amount: 7_000_000, isStrict: false }])
    const bare = await json(
      at,
      'keys',
      'update',
      id,
      '--tag',
      'none',
      '--owner',
      'none',
      '--content-logging',
      'none',
      '--endpoints',
      'none',
      '--addresses',
      'none',
      '--max-tokens',
      'none',
      '--concurrency',
      'none',
      '--budget',
      'none',
      ...['rpm', 'rpd', 'itpm', 'itpd', 'otpm', 'otpd', 'tpm'].flatMap((name) => [
        `--${name}`,
        'none',
      ]),
    )
    expect([bare.policy, bare.owner, bare.budgets]).toEqual([{}, null, []])
  })

  test('is held to in a running server within a second', async () => {
    const at = terminal()
    const clock = { time: terminalNow }
    const { id, key } = await json(at, 'keys', 'create', '--name', 'bot')
    using storage = await Storage.open(databaseFile(at.home))
    using server = new Keys(storage, { now: () => clock.time })
    expect(server.verify([key]).holders[2].policy).toEqual({})
    await at.run('keys', 'update', id, '--models', 'fast')
    await at.run('organisation', 'update', '--concurrency', '7')
    clock.time += 1000
    expect(server.verify([key]).holders.map(({ policy }) => policy)).toEqual([
      { concurrency: 7 },
      {},
      { models: ['fast'] },
    ])
  })
})

describe('nothing is half done:', () => {
  async function withParents(): Promise<Terminal> {
    const at = terminal()
    await json(at, 'organisation', 'update', '--tpm', '1M')
    await json(
      at,
      'projects',
      'create',
      '--name',
      'search',
      '--models',
      'gpt-*',
      '--budget',
      '500/month',
    )
    return at
  }

  const refused: readonly (readonly [string, readonly string[], string])[] = [
    ['models beyond the project', ['--models', 'gpt-6,claude-*'], 'the project search allows'],
    ['a glob that only overlaps', ['--models', '*-mini'], 'the project search allows'],
    ['a rate beyond the organisation', ['--tpm', '1000001'], 'the organisation allows'],
    ['a budget beyond the project', ['--budget', '500.01/month'], '$500.00'],
    ['one budget of two', ['--budget', '1/day', '--budget', '501/month'], '$500.00'],
    ['a name with a control character', ['--name', 'a\u001b[2Jb'], 'control characters'],
    ['an owner with a control character', ['--owner', 'a\nb'], 'control characters'],
    ['a tag of the prototype', ['--tag', '__proto__=x'], '__proto__'],
    ['a tag that every object has', ['--tag', 'constructor=x'], 'constructor'],
    ['a tag without a name', ['--tag', '=x'], 'name=value'],
    ['a tag without a value', ['--tag', 'team'], 'name=value'],
    [
      'a thousand globs',
      ['--models', Array.from({ length: 1000 }, (_, at) => `g${at}`).join(',')],
      '1 to 100',
    ],
    ['a gap in a list', ['--models', 'a,,b'], 'a,b,c'],
    ['an address that is none', ['--addresses', '10.0.0.0/8,999.1.1.1/8'], 'addresses.1'],
    ['a prefix that is none', ['--addresses', '10.0.0.0/64'], 'addresses.0'],
    ['an unknown endpoint', ['--endpoints', 'chat'], 'count-tokens'],
    ['a number below zero', ['--rpm', '-5'], 'above zero'],
    ['nothing', ['--concurrency', '0'], 'above zero'],
    ['a number with an exponent', ['--tpm', '1e400'], 'above zero'],
    ['a number too large', ['--tpm', '9999999M'], 'tokensPerMinute'],
    ['no number', ['--max-tokens', 'NaN'], 'above zero'],
    ['a budget below zero', ['--budget', '-5/month'], 'dollars above zero'],
    ['a budget of nothing', ['--budget', '0/month'], 'dollars above zero'],
    ['a budget without end', ['--budget', '1e400/month'], 'dollars above zero'],
    ['a budget of a part of a micro-dollar', ['--budget', '0.0000001/day'], 'dollars above zero'],
    ['a budget for an unknown time', ['--budget', '5/fortnight'], 'day, week, month, total'],
    ['a soft budget that is none', ['--soft'], 'Give one too'],
    ['an end in the past', ['--expires', '2020-01-01'], 'in the past'],
    ['a beginning after the end', ['--not-before', '2d', '--expires', '1d'], 'never be valid'],
    ['a setting that is none', ['--content-logging', 'maybe'], 'on, off or none'],
  ]

  test.each(refused)('%s', async (_name, args, words) => {
    const at = await withParents()
    const created = await at.run('keys', 'create', '--name', 'n', '--project', 'search', ...args)
    expect([created.exitCode, created.printed]).toEqual([exitCodes.usage, ''])
    expect(created.hinted).toStartWith('parley: ')
    expect(created.hinted).toContain(words)
    expect(created.hinted).not.toMatch(/[^\P{C}\n]/u)
    expect((await at.run('keys', 'list', '--json')).printed).toBe('[]')

    const { id } = await json(
      at,
      'keys',
      'create',
      '--name',
      'n',
      '--project',
      'search',
      '--budget',
      '9/day',
      '--soft',
    )
    const before = await json(at, 'keys', 'show', id)
    const updated = await at.run('keys', 'update', id, '--owner', 'Bo', ...args)
    expect([updated.exitCode, updated.printed]).toEqual([exitCodes.usage, ''])
    expect(updated.hinted).toContain(words)
    expect(await json(at, 'keys', 'show', id)).toEqual(before)
  })

  test('a project that is refused a budget, or a limit beyond the organisation', async () => {
    const at = await withParents()
    await at.run('organisation', 'update', '--budget', '600/month')
    const before = await json(at, 'projects', 'list')
    for (const args of [
      ['create', '--name', 'ads', '--budget', '601/month'],
      ['create', '--name', 'ads', '--tpm', '2M'],
      ['update', 'search', '--name', 'ads', '--budget', '601/month'],
      ['update', 'search', '--budget', '5/day', '--tpm', '2M'],
    ])
      expect([args, (await at.run('projects', ...args)).exitCode]).toEqual([args, exitCodes.usage])
    expect(await json(at, 'projects', 'list')).toEqual(before)
    expect((await json(at, 'projects', 'show', 'search')).budgets).toMatchObject([
      { period: 'month', amount: 500_000_000 },
    ])
  })
})

describe('projects and the organisation', () => {
  test('are shown with what they allow and what they have spent', async () => {
    const at = terminal()
    await json(at, 'organisation', 'update', '--name', 'Example', ...everyLimit)
    expect(await json(at, 'organisation', 'show')).toEqual({
      name: 'Example',
      policy: everyLimitRead,
      budgets: [],
    })
    expect((await at.run('org', 'show')).printed).toMatch(/^models +gpt-\*, fast$/m)
    const project = await json(at, 'projects', 'create', '--name', 'search', '--models', 'gpt-6')
    expect(await json(at, 'projects', 'show', project.id)).toEqual(project)
    expect(project).toMatchObject({ name: 'search', keys: 0, archivedAt: null, budgets: [] })
    const list = (await at.run('projects', 'list')).printed.split('\n')
    expect(list[0]).toMatch(/^id +name +status +keys +limits +created$/)
    expect(list).toHaveLength(3)
  })

  test('may be narrowed below their children, and say whom that holds to less', async () => {
    const at = terminal()
    await json(at, 'projects', 'create', '--name', 'search')
    await json(at, 'keys', 'create', '--name', 'bot', '--project', 'search', '--rpm', '60')
    const { exitCode, hinted } = await at.run('projects', 'update', 'search', '--rpm', '30')
    expect(exitCode).toBe(exitCodes.done)
    expect(hinted).toMatch(
      /held to the new limits:\n {2}key bot \(\w+\): rates\.requestsPerMinute$/,
    )
  })

  test('lists of keys can be of one project', async () => {
    const at = terminal()
    await json(at, 'projects', 'create', '--name', 'search')
    await json(at, 'keys', 'create', '--name', 'in', '--project', 'search')
    await json(at, 'keys', 'create', '--name', 'out')
    expect(await json(at, 'keys', 'list', '--project', 'search')).toMatchObject([{ name: 'in' }])
  })
})

describe('somebody at a terminal is asked', () => {
  async function asked(answer: string): Promise<Terminal> {
    const at = terminal({ isInteractive: true, answer })
    await json(at, 'projects', 'create', '--name', 'search', '--budget', '5/day')
    return at
  }

  const commands: readonly (readonly string[])[] = [
    ['projects', 'archive', 'search'],
    ['projects', 'update', 'search', '--budget', 'none/day'],
  ]

  test.each(commands)('before %s %s %s, and nothing happens without a yes', async (...args) => {
    const at = await asked('')
    const before = await json(at, 'projects', 'show', 'search')
    const { exitCode, hinted } = await at.run(...args)
    expect(at.questions).toHaveLength(1)
    expect([exitCode, hinted]).toEqual([exitCodes.usage, 'parley: Nothing was changed.'])
    expect(await json(at, 'projects', 'show', 'search')).toEqual(before)
    expect((await at.run(...args, '--yes')).exitCode).toBe(exitCodes.done)
    expect(at.questions).toHaveLength(1)
    expect(await json(at, 'projects', 'show', 'search')).not.toEqual(before)
  })

  test('how many keys a project takes with it', async () => {
    const at = await asked('yes')
    const { key } = await json(at, 'keys', 'create', '--name', 'bot', '--project', 'search')
    const { printed } = await at.run('projects', 'archive', 'search')
    expect(at.questions[0]).toContain('its key is refused')
    expect(printed).toBe('The project search is archived.')
    using storage = await Storage.open(databaseFile(at.home))
    expect(() => new Keys(storage).verify([key])).toThrow('was archived')
    expect((await at.run('keys', 'list')).printed).toContain('archived')
  })
})

test('what is not there ends with 66', async () => {
  const at = terminal()
  for (const args of [
    ['keys', 'show', 'nobody'],
    ['keys', 'update', 'nobody', '--rpm', '5'],
    ['keys', 'create', '--name', 'n', '--project', 'nothing'],
    ['keys', 'list', '--project', 'nothing'],
    ['projects', 'show', 'nothing'],
    ['projects', 'update', 'nothing', '--rpm', '5'],
    ['projects', 'archive', 'nothing', '--yes'],
  ])
    expect([args, (await at.run(...args)).exitCode]).toEqual([args, exitCodes.missing])
  expect((await at.run('projects', 'archive', 'default', '--yes')).exitCode).toBe(exitCodes.usage)
})

describe('a budget', () => {
  const day = 86_400_000
  const startsAt = Date.UTC(2026, 0, 1)
  const budget = {
    holder: 'org',
    period: 'month',
    amount: 100,
    isStrict: true,
    used: 0,
    held: 0,
    left: 100,
    startsAt,
    endsAt: Date.UTC(2026, 1, 1),
  } as const

  test.each([
    ['is used up when it goes on as it began', 50, 10, startsAt + 20 * day],
    ['lasts if its period ends before', 10, 10, undefined],
    ['lasts to its very end', 50, 15.5, undefined],
    ['is used up now if nothing is left', 100, 10, startsAt + 10 * day],
    ['says nothing where nothing was used', 0, 10, undefined],
    ['says nothing before it begins', 50, 0, undefined],
  ])('%s', (_name, used, days, end) => {
    expect(lastsUntil({ ...budget, used }, startsAt + days * day)).toBe(end)
  })

  test('that never begins anew says nothing of its pace', () => {
    const { endsAt: _endsAt, ...total } = { ...budget, period: 'total', startsAt: 0 } as const
    expect(lastsUntil({ ...total, used: 50 }, startsAt)).toBeUndefined()
  })

  test('is shown with what is held and left, and when it is used up at this pace', () => {
    const outside = { ...processOutside(), columns: 100, now: () => startsAt + 10 * day }
    const rows = [
      { ...budget, amount: 10_000_000, used: 5_000_000, held: 2_500_000, left: 2_500_000 },
      { ...budget, amount: 10, used: 12, left: -2, isStrict: false },
    ]
    const [, first, second] = Bun.stripANSI(budgetTable(rows, outside)).split('\n')
    expect(first).toMatch(
      /^month +\$10\.00 +\$5\.00 +\$2\.50 +\$2\.50 +█{8}░░ 75% +2026-01-21 00:00$/,
    )
    expect(second).toMatch(/^month \(soft\) .*-\$0\.000002 +█{10} 100% +2026-01-11 00:00$/)
    expect(budgetTable([], outside)).toBe('')
  })

  test('refused beside one that was changed already puts that one back', async () => {
    const at = terminal()
    const { id } = await json(at, 'keys', 'create', '--name', 'n', '--budget', '3/day', '--soft')
    using storage = await Storage.open(databaseFile(at.home))
    await new Budgets(storage, () => terminalNow).set('org', 'month', { amount: 5, isStrict: true })
    const { exitCode } = await at.run(
      'keys',
      'update',
      id,
      '--budget',
      '4/day',
      '--budget',
      '1/week',
      '--budget',
      '1/month',
    )
    expect(exitCode).toBe(exitCodes.usage)
    expect((await json(at, 'keys', 'show', id)).budgets).toMatchObject([
      { period: 'day', amount: 3_000_000, isStrict: false },
    ])
  })
})
