import { budgetRefusal } from '#budgets/budget-refusal.ts'
import { amountOf } from '#budgets/reserve.ts'
import { GatewayError } from '#chat/error.ts'
import { assertNever } from '#std/never.ts'
import { inMemory } from '#storage/connection.ts'
import type { Storage } from '#storage/database.ts'
import { StorageError } from '#storage/storage-error.ts'

import { type Boot, startBoot } from './boot.ts'
import type { Grant, Ledger, NewEntry, Outcome } from './entry.ts'
import {
  type CloseRow,
  closeRow,
  fullGrant,
  type OpenRow,
  openRow,
  type Reply,
  termsOf,
} from './ledger-rows.ts'
import type { Mismatch } from './proof.ts'
import { localScribe, type Scribe } from './scribe.ts'
import { WorkerScribe } from './worker-scribe.ts'

/**
 * The book of who used what, in SQLite. Many exchanges share one commit: what comes while one batch is being written
 * is the next batch. When the disk fails it fails closed, with `storage-unavailable`.
 */
export class SqliteLedger implements Ledger, AsyncDisposable {
  readonly #boot: Boot
  readonly #scribe: Scribe
  readonly #now: () => number
  readonly #onAlarm: (alarm: Mismatch) => void
  readonly #onCommit: (ms: number) => void
  readonly #upkeep: Timer
  #next: Pending = nothingPending()
  #isWriting = false
  #isClosed = false
  /** About how many exchanges have begun and not ended. */
  #underWay = 0
  #idle = Promise.withResolvers<void>()
  #failure: GatewayError | undefined
  /** Why nothing may begin, while the disk is full. */
  #full: GatewayError | undefined
  #owed: CloseRow[] = []
  #retry: Timer | undefined

  private constructor({ boot, scribe, now, onAlarm, onCommit }: Parts) {
    this.#boot = boot
    this.#scribe = scribe
    this.#now = now
    this.#onAlarm = onAlarm
    this.#onCommit = onCommit
    this.#upkeep = setInterval(() => void this.keepUp().catch(() => undefined), upkeepMs)
    this.#upkeep.unref()
  }

  /** Opens the ledger of a database, and closes what earlier runs of a server left open. Rejects with `StorageError`. */
  static async open(
    storage: Storage,
    { now = Date.now, onAlarm = () => {}, onCommit = () => {} }: LedgerOptions = {},
  ): Promise<SqliteLedger> {
    const ledger = await SqliteLedger.#unproven(storage, { now, onAlarm, onCommit })
    try {
      await ledger.keepUp()
      return ledger
    } catch (error) {
      await ledger[Symbol.asyncDispose]()
      throw StorageError.from(GatewayError.from(error).cause, storage.file)
    }
  }

  static async #unproven(
    storage: Storage,
    { now, ...told }: Required<LedgerOptions>,
  ): Promise<SqliteLedger> {
    const boot = await startBoot(storage, now())
    try {
      const isLocal = storage.file === inMemory
      const scribe = isLocal
        ? localScribe(storage, boot.id)
        : await WorkerScribe.open(storage.file, boot.id)
      return new SqliteLedger({ boot, scribe, now, ...told })
    } catch (error) {
      boot[Symbol.dispose]()
      throw error
    }
  }

  /** Why nothing can be written any more, or undefined while all is well. */
  get failure(): GatewayError | undefined {
    return this.#failure
  }

  /** How many rows wait to be written. */
  get queue(): number {
    return this.#next.opened.length + this.#next.closed.length + this.#owed.length
  }

  begin(entry: NewEntry): Promise<Grant> {
    // What little room is left is for what has ended.
    if (this.#full !== undefined) return Promise.reject(this.#full)
    return this.#write<Grant>((waiter) => {
      this.#next.opened.push(openRow(entry))
      this.#next.openers.push(waiter)
    })
  }

  settle(id: string, outcome: Outcome): Promise<void> {
    return this.#write<void>((waiter) => {
      this.#next.closed.push(closeRow(id, outcome))
      this.#next.closers.push(waiter)
    })
  }

  /**
   * Closes what servers that died have left open, and proves that the books add up: what is done at the start and every
   * minute. Rejects with `storage-unavailable`.
   */
  async keepUp(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      while (this.#failure === undefined) {
        const { isDone, wrong } = await this.#scribe.keepUp(this.#now())
        for (const alarm of wrong) this.#onAlarm(alarm)
        if (isDone) return
        // Others wait for the same thread.
        await nextTurn()
      }
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** Writes what is waiting, and lets go of the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#payOwed()
    while (this.#isWriting) await this.#idle.promise
    clearTimeout(this.#retry)
    clearInterval(this.#upkeep)
    this.#failure ??= new GatewayError('gateway-stopping', 'The gateway is stopping.')
    await this.#scribe[Symbol.asyncDispose]()
    this.#boot[Symbol.dispose]()
  }

  #write<Result>(add: (waiter: Waiter<Result>) => void): Promise<Result> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      add({ resolve, reject })
      this.#start()
    })
  }

  #start(): void {
    if (this.#isWriting) return
    this.#isWriting = true
    setImmediate(() => void this.#writeAll())
  }

  /**
   * One batch after the other, until nothing waits. Between them more may come together: for a turn of the event loop,
   * and where many exchanges are under way that have not come by then for a millisecond more, which is nothing to any of
   * them and a third of the cost of each.
   */
  async #writeAll(): Promise<void> {
    while (this.#next.opened.length + this.#next.closed.length > 0) {
      const pending = this.#next
      this.#next = nothingPending()
      try {
        const batch = [pending.opened, pending.closed, this.#now()] as const
        const startedAt = performance.now()
        const replies = await this.#scribe.write(batch)
        this.#onCommit(performance.now() - startedAt)
        resolveAll(pending, replies)
        const begun = pending.opened.length - replies.filter(isRefusal).length
        this.#underWay = Math.max(0, this.#underWay + begun - pending.closed.length)
      } catch (error) {
        this.#fail(pending, error)
      }
      await nextTurn()
      if (this.#isCrowded) await gathered()
    }
    this.#isWriting = false
    this.#idle.resolve()
    this.#idle = Promise.withResolvers()
  }

  /** Whether more are likely to come soon: not if as many wait as are under way, for those are nearly all of them. */
  get #isCrowded(): boolean {
    if (!this.#scribe.isRemote || this.#underWay < crowd) return false
    return this.#next.opened.length + this.#next.closed.length < this.#underWay
  }

  /** Nothing of the batch is written, and everybody is told so. What has ended is tried again if the trouble may pass. */
  #fail(pending: Pending, error: unknown): void {
    const failure = this.#failed(error)
    for (const waiter of pending.openers) waiter.reject(failure)
    if (this.#hasRoomAgain(pending, failure)) return
    if (this.#failure === undefined) this.#owe(pending.closed)
    for (const waiter of pending.closers) waiter.reject(failure)
  }

  /** On a full disk, what has ended is written into the room that was kept for it, and nothing begins any more. */
  #hasRoomAgain({ closed, closers }: Pending, failure: GatewayError): boolean {
    const isFull = failure.cause instanceof StorageError && failure.cause.problem === 'full'
    if (!isFull || closed.length === 0 || this.#boot.reserve?.release() !== true) return false
    this.#full = failure
    this.#next.opened.length = 0
    for (const waiter of this.#next.openers.splice(0)) waiter.reject(failure)
    this.#retry ??= setTimeout(() => this.#payOwed(), retryMs)
    this.#next.closed.unshift(...closed)
    this.#next.closers.unshift(...closers)
    return true
  }

  /**
   * If the trouble will not pass, nothing more is accepted: when an fsync fails, the system may have dropped what it
   * could not save, and a second one would succeed without it.
   */
  #failed(error: unknown): GatewayError {
    const cause = StorageError.from(error, 'The ledger')
    const failure = unavailable(cause)
    if (!cause.mayPass) this.#failure ??= failure
    return failure
  }

  #owe(closed: readonly CloseRow[]): void {
    this.#owed.push(...closed)
    this.#retry ??= setTimeout(() => this.#payOwed(), retryMs)
  }

  #payOwed(): void {
    this.#retry = undefined
    if (this.#boot.reserve?.hold() !== false) this.#full = undefined
    else if (this.#full !== undefined) this.#retry = setTimeout(() => this.#payOwed(), retryMs)
    if (this.#owed.length === 0) return
    this.#next.closed.push(...this.#owed)
    this.#owed = []
    this.#start()
  }
}

export interface LedgerOptions {
  /** Unix milliseconds: which day, week and month it is. */
  readonly now?: () => number
  /** To be told, at the start and every minute, of every holder whose books do not add up. */
  readonly onAlarm?: (alarm: Mismatch) => void
  /** To be told of every batch that is on disk, and how long that took in milliseconds. */
  readonly onCommit?: (ms: number) => void
}

interface Parts extends Required<LedgerOptions> {
  readonly boot: Boot
  readonly scribe: Scribe
}

interface Waiter<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (failure: GatewayError) => void
}

/** The next batch, and who waits for it. What is owed from an earlier one is in it too, and nobody waits for that. */
interface Pending {
  readonly opened: OpenRow[]
  readonly openers: Waiter<Grant>[]
  readonly closed: CloseRow[]
  readonly closers: Waiter<void>[]
}

const retryMs = 1000
const upkeepMs = 60_000

/** From so many exchanges on, a batch waits for more. */
const crowd = 8
const gatherMs = 1

function nothingPending(): Pending {
  return { opened: [], openers: [], closed: [], closers: [] }
}

function resolveAll({ opened, openers, closers }: Pending, replies: readonly Reply[]): void {
  const told = new Map(replies.map((reply) => [reply.index, reply]))
  for (const [index, row] of opened.entries()) {
    const reply = told.get(index)
    const waiter = openers[index]
    if (reply === undefined) waiter?.resolve(fullGrant(row, amountOf(termsOf(row), row[10])))
    else if (reply.type === 'granted') waiter?.resolve(grantOf(row, reply))
    else waiter?.reject(refusalOf(reply))
  }
  for (const waiter of closers) waiter.resolve()
}

function grantOf(row: OpenRow, { outputCap, held, isStrict }: Granted): Grant {
  return { outputCap, held, isStrict, isLowered: outputCap < termsOf(row).outputCap }
}

type Granted = Extract<Reply, { readonly type: 'granted' }>

function isRefusal({ type }: Reply): boolean {
  return type !== 'granted'
}

function refusalOf(reply: Exclude<Reply, Granted>): GatewayError {
  switch (reply.type) {
    case 'spent':
      return budgetRefusal(reply)
    case 'taken':
      return new GatewayError('internal', 'An exchange of this id is under way already.')
    case 'distrusted':
      return new GatewayError(
        'storage-unavailable',
        `The books of ${reply.holder} do not add up, and so nothing is paid from a budget there. The operator has to run "parley usage verify".`,
      )
    default:
      return assertNever(reply)
  }
}

function unavailable(cause: StorageError): GatewayError {
  return new GatewayError(
    'storage-unavailable',
    'The gateway cannot write down what is used, and so answers nothing. Its operator has to look at its disk.',
    { cause, retryAfter: 1 },
  )
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function gathered(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, gatherMs)
  })
}
