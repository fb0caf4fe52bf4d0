import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { builtInRules } from '#redaction/rule.ts'
import { filesWith } from '#test/content-rig.ts'
import { until } from '#test/until.ts'

import { type Attended, ContentLog, type ContentLogOptions } from './content-log.ts'
import type { ContentSettings } from './content-settings.ts'
import { ContentStore } from './content-store.ts'

// A machine with much else to do is slow.
setDefaultTimeout(60_000)

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'parley-content-log-'))
  homes.push(home)
  return home
}

const settings: ContentSettings = {
  maxBytes: 64 * 1024,
  queueBytes: 1024 * 1024,
  retainDays: 1000 / 86_400_000,
  rules: builtInRules,
  redact: [],
}

/** What the log reported, beside the log. */
function logIn(home: string, options: Partial<ContentLogOptions> = {}) {
  const reported: { message: string; facts: object }[] = []
  const file = join(home, 'content.db')
  const report = (message: string, facts: object) => void reported.push({ message, facts })
  const database = join(home, 'parley.db')
  return { log: new ContentLog({ database, settings, report, ...options }), file, reported }
}

const attended: Attended = {
  protocol: chatCompletions,
  credentials: ['the key of a caller'],
  wantsNothingKept: () => false,
  onContentKept: () => {},
}

/** Goes through a whole exchange, as far as the log is concerned. */
function exchange(log: ContentLog, id: string, content: string): void {
  const witness = log.attend(attended)
  const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  const body = { text, value: JSON.parse(text), members: [] }
  witness?.open({ id, keyId: `key of ${id}`, projectId: 'p', protocol: 'chat-completions', body })
  witness?.begin({ target: undefined, words: undefined, isWhole: false })
  witness?.hear({ means: [{ type: 'block-start', block: { type: 'text' } }] })
  witness?.hear({ means: [{ type: 'block-delta', text: `the answer to ${content}` }] })
  witness?.hear({ means: [{ type: 'block-end' }, { type: 'answer-end', reason: 'end' }] })
  witness?.end()
}

const settled = (log: ContentLog, exchanges: number) =>
  until(() => log.counts.kept + log.counts.dropped + log.counts.failed === exchanges)

describe('the log of content', () => {
  test('makes no file and no thread before there is something to keep', async () => {
    const home = newHome()
    const { log, file } = logIn(home)
    await log.keepUp()
    expect(await log.erase({ keyId: 'k' })).toBe(0)
    await log[Symbol.asyncDispose]()
    expect(existsSync(file)).toBe(false)
  })

  test('keeps what was said, without the key that was shown', async () => {
    const { log, file } = logIn(newHome())
    await using _ = log
    exchange(log, 'a', 'I show "the key of a caller".')
    await settled(log, 1)
    using store = ContentStore.open(file)
    const kept = JSON.parse(store.read('a') ?? '{}')
    expect(kept.request.body.messages[0].content).toBe('I show "[redacted: secret]".')
    expect(kept.answer).toEqual({
      isCut: false,
      blocks: [
        { type: 'text', text: 'the answer to I show "[redacted: secret]".', name: null, id: null },
      ],
      end: 'end',
      error: null,
      vectors: null,
    })
    expect(kept.redacted).toEqual([{ rule: 'secret', count: 2 }])
  })

  test('keeps nothing of a caller who does not want it, or where there is no place', () => {
    let told = 0
    const caller = { ...attended, onContentKept: () => void told++ }
    const { log } = logIn(newHome())
    expect(log.attend({ ...caller, wantsNothingKept: () => true })).toBeUndefined()
    expect(logIn('', { database: ':memory:' }).log.attend(caller)).toBeUndefined()
    expect(told).toBe(0)
    expect(log.attend(caller)).toBeDefined()
    expect(told).toBe(1)
  })

  test('drops and counts what the queue cannot hold, and says so once', async () => {
    const { log, reported } = logIn(newHome(), { settings: { ...settings, queueBytes: 20_000 } })
    await using _ = log
    for (let at = 0; at < 20; at++) exchange(log, `${at}`, 'x'.repeat(1500))
    await settled(log, 20)
    const { kept, dropped, failed } = log.counts
    expect(kept).toBeGreaterThan(0)
    expect(dropped).toBeGreaterThan(10)
    expect(failed).toBe(0)
    await log.keepUp()
    await log.keepUp()
    expect(reported.map(({ facts }) => facts)).toMatchObject([{ exchanges: dropped }])
  })

  test('goes on after a queue that was full', async () => {
    const { log } = logIn(newHome(), { settings: { ...settings, queueBytes: 20_000 } })
    await using _ = log
    for (let at = 0; at < 20; at++) exchange(log, `${at}`, 'x'.repeat(1500))
    await settled(log, 20)
    const { kept } = log.counts
    exchange(log, 'one more', 'y')
    await settled(log, 21)
    expect(log.counts.kept).toBe(kept + 1)
  })

  test('keeps nothing where the disk has too little room, and counts that', async () => {
    const home = newHome()
    const { log, reported } = logIn(home, { leastFreeBytes: Number.MAX_SAFE_INTEGER })
    exchange(log, 'a', 'a marker of its own')
    await settled(log, 1)
    await log[Symbol.asyncDispose]()
    expect(log.counts).toEqual({ kept: 0, dropped: 0, failed: 1 })
    expect(String(Object.values(reported[0]?.facts ?? {}))).toContain('too little room')
    expect(filesWith(home, 'a marker of its own')).toEqual([])
  })

  test('counts what it cannot write, and harms nobody', async () => {
    const home = newHome()
    writeFileSync(join(home, 'content.db'), 'this is no database at all'.repeat(100))
    const { log } = logIn(home)
    await using _ = log
    exchange(log, 'a', 'x')
    await settled(log, 1)
    expect(log.counts.failed).toBe(1)
  })

  test('deletes what is past its days, with every trace of it', async () => {
    const home = newHome()
    const clock = { now: 10_000 }
    const { log } = logIn(home, { now: () => clock.now })
    await using _ = log
    exchange(log, 'old', 'the older marker')
    await settled(log, 1)
    clock.now = 10_800
    exchange(log, 'new', 'the newer marker')
    await settled(log, 2)
    clock.now = 11_001
    await log.keepUp()
    expect(filesWith(home, 'the older marker')).toEqual([])
    expect(filesWith(home, 'the newer marker')).not.toEqual([])
    log.configure({ ...settings, retainDays: 1 / 86_400_000 })
    await log.keepUp()
    expect(filesWith(home, 'the newer marker')).toEqual([])
  })

  test('deletes what is past its days when it begins', async () => {
    const home = newHome()
    const { log } = logIn(home, { now: () => 0 })
    exchange(log, 'a', 'the marker')
    await settled(log, 1)
    await log[Symbol.asyncDispose]()
    expect(filesWith(home, 'the marker')).not.toEqual([])
    await using _ = logIn(home, { now: () => 1_000_000 }).log
    await until(() => filesWith(home, 'the marker').length === 0)
  })

  test('erases what it has, and what is on its way', async () => {
    const home = newHome()
    const { log } = logIn(home)
    await using _ = log
    exchange(log, 'a', 'marker a')
    exchange(log, 'b', 'marker b')
    await settled(log, 2)
    expect(await log.erase({ exchangeId: 'a' })).toBe(1)
    expect(filesWith(home, 'marker a')).toEqual([])
    expect(await log.erase({ keyId: 'key of b' })).toBe(1)
    expect(filesWith(home, 'marker b')).toEqual([])
  })

  test('takes out from now on what a new config says', async () => {
    const { log, file } = logIn(newHome())
    await using _ = log
    exchange(log, 'a', 'ACME-1')
    await settled(log, 1)
    log.configure({ ...settings, redact: [{ name: 'own', pattern: 'ACME-1', ignoresCase: false }] })
    exchange(log, 'b', 'ACME-1')
    await settled(log, 2)
    using store = ContentStore.open(file)
    expect(store.read('a')).toContain('ACME-1')
    expect(store.read('b')).not.toContain('ACME-1')
    expect(store.read('b')).toContain('[redacted: own]')
  })

  test('hears no more of an answer than it may keep, and marks it', async () => {
    const { log, file } = logIn(newHome(), { settings: { ...settings, maxBytes: 100 } })
    await using _ = log
    const witness = log.attend(attended)
    const body = { text: '{}', value: {}, members: [] }
    const named = { keyId: 'k', projectId: 'p', protocol: 'messages', body }
    witness?.open({ id: 'long', ...named })
    witness?.begin({ target: undefined, words: undefined, isWhole: false })
    witness?.hear({ means: [{ type: 'block-start', block: { type: 'text' } }] })
    for (let at = 0; at < 5000; at++)
      witness?.hear({ means: [{ type: 'block-delta', text: 'abcdefghi ' }] })
    witness?.hear({ means: [{ type: 'answer-end', reason: 'length' }] })
    witness?.end()
    await settled(log, 1)
    using store = ContentStore.open(file)
    const { answer } = JSON.parse(store.read('long') ?? '{}')
    expect(answer).toMatchObject({ isCut: true, end: 'length' })
    expect(answer.blocks[0].text).toMatch(/^(?:abcdefghi ){10}\[cut: \d+ characters\]$/)
  })
})
