import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Keys } from '#keys/keys.ts'
import { SqliteLedger } from '#ledger/ledger.ts'
import { Storage } from '#storage/database.ts'

import { type Acknowledged, loadLedger } from './ledger-load.ts'
import { examine, recordsOf } from './oracle.ts'
import { recover } from './recover.ts'
import type { Chance } from './seeded.ts'

export interface ImagesOptions {
  readonly chance: Chance
  /** How many images are made at least. */
  readonly images: number
  readonly isOver?: () => boolean
  readonly say?: (words: string) => void
}

export interface ImagesEnd {
  readonly images: number
  /** Records that were acknowledged before the last fsync of an image, over all images. */
  readonly expected: number
  readonly violations: readonly string[]
}

/** What a disk may hold after a power loss: everything up to the last fsync, and of what came after it anything. */
export async function powerLossImages(options: ImagesOptions): Promise<ImagesEnd> {
  const { chance, images, isOver = () => false, say } = options
  const end = { images: 0, expected: 0, violations: [] as string[] }
  while (end.images < images && !isOver()) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-images-'))
    try {
      const run = await recorded(folder, chance)
      if (run === undefined) continue
      for (const loss of lossesOf(run, chance, images - end.images)) {
        const { expected, violations } = await reopened(run, loss)
        end.images++
        end.expected += expected
        end.violations.push(...violations)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    say?.(`${end.images} images, ${end.expected} records expected in them`)
  }
  return end
}

/** A run of the ledger, and all that a power loss could leave of it. */
interface Run {
  readonly folder: string
  /** The database before the run, and the write-ahead log of the whole run, which was never written back. */
  readonly base: string
  readonly log: Uint8Array
  readonly acknowledged: readonly Moment[]
}

interface Moment extends Acknowledged {
  /** How long the log was when the ledger said so: no less than what had been synced for it. */
  readonly logBytes: number
}

/** SQLite writes the log back by itself at a thousand pages; the run ends well before that. */
const mostLogBytes = 600 * 4096

/** Undefined if the log was written back after all: then what a power loss leaves is not the base and a part of the log. */
async function recorded(folder: string, chance: Chance): Promise<Run | undefined> {
  const file = join(folder, 'parley.db')
  const keyId = await prepared(file)
  const base = join(folder, 'base.db')
  copyFileSync(file, base)
  const acknowledged: Moment[] = []
  const atOnce = chance.between(1, 24)
  using storage = await Storage.open(file)
  await using ledger = await SqliteLedger.open(storage)
  const log = `${file}-wal`
  await loadLedger({
    ledger,
    chance,
    keyId,
    atOnce,
    onDisk: (said) => acknowledged.push({ ...said, logBytes: statSync(log).size }),
    isOver: () => statSync(log).size > mostLogBytes,
  })
  const run = { folder, base, log: readFileSync(log), acknowledged }
  return readFileSync(file).equals(readFileSync(base)) ? run : undefined
}

/** A database with a key that has a budget, and a few records from earlier. Closed, so that it has no log. */
async function prepared(file: string): Promise<string> {
  using storage = await Storage.open(file)
  const { id } = await new Keys(storage).issue({ name: 'loss' })
  storage.database.run(`INSERT INTO budgets VALUES ('key:${id}', 'total', 1000000000, 1)`)
  return id
}

/** What is left of the log, and what stands where the rest of it was. */
interface Loss {
  readonly logBytes: number
  readonly tail: 'gone' | 'zeros' | 'garbage'
}

const logHead = 32
const frameBytes = 24 + 4096

/** Every end of a frame, every 4 KiB, and somewhere inside; as many of these as are wanted, picked by chance. */
function lossesOf({ log }: Run, chance: Chance, most: number): Loss[] {
  const bounds = new Set<number>([0, logHead])
  for (let at = logHead + frameBytes; at <= log.length; at += frameBytes) bounds.add(at)
  for (let at = 4096; at <= log.length; at += 4096) bounds.add(at)
  for (let extra = 0; extra < 50; extra++) bounds.add(chance.between(0, log.length))
  const all = [...bounds].map((logBytes) => ({
    logBytes,
    tail: chance.oneOf(['gone', 'gone', 'zeros', 'garbage'] as const),
    order: chance.next(),
  }))
  return all.toSorted((one, other) => one.order - other.order).slice(0, most)
}

/** Opens what is left as the next gateway would, and looks for everything that had been acknowledged. */
async function reopened(run: Run, loss: Loss): Promise<{ expected: number; violations: string[] }> {
  const folder = join(run.folder, 'image')
  mkdirSync(folder, { mode: 0o700 })
  const file = join(folder, 'parley.db')
  try {
    copyFileSync(run.base, file)
    writeFileSync(`${file}-wal`, logAfter(run.log, loss), { mode: 0o600 })
    const expected = run.acknowledged.filter(({ logBytes }) => logBytes <= loss.logBytes)
    const violations = await violationsOf(file, expected)
    return { expected: expected.length, violations: violations.map((one) => said(loss, one)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function logAfter(log: Uint8Array, { logBytes, tail }: Loss): Uint8Array {
  if (tail === 'gone') return log.subarray(0, logBytes)
  const left = new Uint8Array(log)
  if (tail === 'zeros') left.fill(0, logBytes)
  // The first sector after the loss is half new and half nonsense; what follows it may be whole again.
  else crypto.getRandomValues(left.subarray(logBytes, logBytes + 512))
  return left
}

async function violationsOf(file: string, expected: readonly Moment[]): Promise<string[]> {
  try {
    await recover(file)
  } catch (error) {
    return [`it cannot be opened: ${String(error)}`]
  }
  const { violations } = examine(file, { seen: [], served: [], keys: [], isRecovered: true })
  const records = recordsOf(file)
  const missing = expected.flatMap(({ id, what, cost }) => {
    const record = records.get(id)
    if (record === undefined) return [`P1: ${id} was ${what} and is not there`]
    if (what === 'settled' && (record.result !== 'complete' || record.cost !== cost))
      return [`P1: ${id} was settled at ${cost} and is "${record.result}" at ${record.cost}`]
    return []
  })
  return [...violations, ...missing]
}

function said({ logBytes, tail }: Loss, violation: string): string {
  return `With ${logBytes} bytes of the log and the rest ${tail}: ${violation}`
}
