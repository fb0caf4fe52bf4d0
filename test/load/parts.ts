import { until } from '#test/until.ts'

import { atMost, exactly, type Figure, none, told } from './figure.ts'
import { type Book, bookOf } from './ledger.ts'
import type { Manner, Tally } from './orders.ts'
import { type LoadRig, newLoadRig, opened } from './rig.ts'

/** How large a part is run. The sizes of the claim are the defaults of `npm run load`; tests run small ones. */
export interface Size {
  readonly streams: number
  readonly seconds: number
  readonly nice?: number
}

/** Two events a second, for so long. */
export function ticking(seconds: number): Manner {
  return { events: Math.ceil(seconds * 2), everyMs: 500, bytes: 20, fault: 'none' }
}

/** What a machine of two cores can open without falling behind. */
const openedEachSecond = 400

const longestDelayMs = 100
const largestMb = 600

/** Streams that are all open for a while: none breaks, none is late, and memory stays within bounds. */
export async function heldStreams({ streams, seconds, nice = 0 }: Size): Promise<Figure[]> {
  await using rig = await newLoadRig({ nice })
  const { gateway } = rig
  const rampSeconds = streams / openedEachSecond
  const held = rig.streams({
    count: streams,
    rampMs: rampSeconds * 1000,
    manner: ticking(rampSeconds + seconds),
    translated: 0.1,
  })
  await opened(held, streams, rampSeconds * 1000 + longestOpenMs)
  held.measure()
  const direct = rig.streams({
    count: Math.ceil(streams / 20),
    rampMs: 500,
    manner: ticking(seconds - 1),
    translated: 0,
    direct: true,
  })
  const [cpu, waited, began] = [gateway.cpuSeconds(), gateway.waitedSeconds(), performance.now()]
  const alone = await direct.end
  const heldSeconds = (performance.now() - began) / 1000
  const [cpuAfter, waitedAfter] = [gateway.cpuSeconds(), gateway.waitedSeconds()]
  const tally = await held.end
  const { peak } = gateway.memoryMb()
  const book = await closed(rig)
  const eventsEachSecond = streams * 2 * heldSeconds
  return [
    exactly('streams held at once', tally.peak, streams),
    exactly('whole', tally.whole, streams),
    none('broken', tally.broken),
    told('events', new Intl.NumberFormat('en').format(tally.events)),
    told('delay of an event, p50', `${tally.delayMs.p50} ms`),
    atMost('delay of an event, p99', tally.delayMs.p99, longestDelayMs, ' ms'),
    told('the same past the gateway, p99', `${alone.delayMs.p99} ms`),
    told(
      'processor time of an event',
      `${Math.round(((cpuAfter - cpu) * 1e6) / eventsEachSecond)} µs`,
    ),
    told(
      'of that time its main thread waited for a core',
      `${Math.round(((waitedAfter - waited) / heldSeconds) * 100)} %`,
    ),
    atMost('resident memory, peak', peak, largestMb, ' MB'),
    ...ledgerFigures(book, { complete: streams }),
  ]
}

const longestOpenMs = 60_000

/** As many streams as it may take and twice what is claimed: each is admitted or refused in good order. */
export async function peakStreams(size: Size): Promise<Figure[]> {
  return crowdOf(size, { places: size.streams })
}

/** More streams than it may take: who comes on top is told at once, and the others do not notice. */
export async function refusedStreams(size: Size): Promise<Figure[]> {
  return crowdOf(size, { places: Math.ceil(size.streams * 0.75) })
}

/** The `exchanges` of a config in which one key alone may have so many: nine tenths are for one. */
export function placesFor(exchanges: number): number {
  return Math.floor(exchanges / 0.9)
}

async function crowdOf(
  { streams, seconds, nice = 0 }: Size,
  { places }: { readonly places: number },
): Promise<Figure[]> {
  const limits = { exchanges: placesFor(places) }
  await using rig = await newLoadRig({ nice, config: { limits } })
  const rampSeconds = streams / openedEachSecond
  const crowd = rig.streams({
    count: streams,
    rampMs: rampSeconds * 1000,
    manner: ticking(rampSeconds + seconds),
    translated: 0.1,
  })
  const tally = await crowd.end
  await rig.control()
  const { peak } = rig.gateway.memoryMb()
  const book = await closed(rig)
  return [
    told('asked for at once, with so many places', `${streams}, ${places}`),
    exactly('admitted and whole', tally.whole, places),
    exactly('refused in good order, with retry-after', tally.refused, streams - places),
    none('broken', tally.broken),
    told('delay of an event, p99', `${tally.delayMs.p99} ms`),
    told('resident memory, peak', `${peak} MB`),
    ...ledgerFigures(book, { complete: places + 1 }),
  ]
}

/** SIGTERM at any moment: everything that is open may end, and the ledger knows of all of it. */
export async function drainedStreams({ streams, seconds, nice = 0 }: Size): Promise<Figure[]> {
  await using rig = await newLoadRig({ nice })
  const { gateway } = rig
  const rampSeconds = streams / openedEachSecond
  const crowd = rig.streams({
    count: streams,
    rampMs: rampSeconds * 1000,
    manner: ticking(rampSeconds + seconds),
    translated: 0.1,
  })
  await opened(crowd, streams, longestOpenMs)
  await Bun.sleep(Math.random() * seconds * 500)
  const openThen = crowd.open()
  gateway.kill('SIGTERM')
  const began = performance.now()
  const exitCode = await gateway.exited
  const exitSeconds = (performance.now() - began) / 1000
  const tally = await crowd.end
  return [
    told('streams open when it was asked to stop', String(openThen)),
    exactly('whole', tally.whole, streams),
    none('broken', tally.broken),
    atMost('seconds until it was gone', exitSeconds, graceSeconds + 2),
    exactly('exit code', exitCode ?? -1, 0),
    ...ledgerFigures(bookOf(rig.database), { complete: streams }),
  ]
}

const graceSeconds = 30

/** A second SIGTERM: nobody waits any more, everybody is told, and the ledger is settled all the same. */
export async function urgedStreams({ streams, nice = 0 }: Size): Promise<Figure[]> {
  await using rig = await newLoadRig({ nice })
  const { gateway } = rig
  const rampSeconds = streams / openedEachSecond
  const crowd = rig.streams({
    count: streams,
    rampMs: rampSeconds * 1000,
    manner: ticking(rampSeconds + 60),
    translated: 0.1,
  })
  await opened(crowd, streams, longestOpenMs)
  gateway.kill('SIGTERM')
  // What comes within half a second counts as the same signal, passed on by a terminal and by npm.
  await Bun.sleep(700)
  gateway.kill('SIGTERM')
  const began = performance.now()
  const exitCode = await gateway.exited
  const exitSeconds = (performance.now() - began) / 1000
  const tally = await crowd.end
  const { results, stillOpen, violations } = bookOf(rig.database)
  const recorded = Object.values(results).reduce((sum, count) => sum + count, 0)
  return [
    exactly('told that the gateway stops', toldOfStop(tally), streams),
    none('told something else', otherwise(tally)),
    exactly('whole without having been so', tally.whole, 0),
    atMost('seconds until it was gone', exitSeconds, 2),
    exactly('exit code', exitCode ?? -1, 0),
    exactly('rows in the ledger', recorded, streams),
    exactly('left open in the ledger', stillOpen, 0),
    none('ledger promises broken', countOf(violations)),
  ]
}

const isToldOfStop = (words: string): boolean => /being stopped/.test(words)

function toldOfStop({ broken }: Tally): number {
  return Object.entries(broken).reduce(
    (sum, [words, times]) => sum + (isToldOfStop(words) ? times : 0),
    0,
  )
}

function otherwise({ broken }: Tally): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(broken).filter(([words]) => !isToldOfStop(words)))
}

/** Stops the gateway in good order and opens what it wrote. */
export async function closed(rig: LoadRig): Promise<Book> {
  rig.gateway.kill('SIGTERM')
  let isGone = false
  void rig.gateway.exited.then(() => {
    isGone = true
  })
  await until(() => isGone)
  return bookOf(rig.database)
}

export function ledgerFigures(
  { results, uncounted, stillOpen, violations }: Book,
  { complete }: { readonly complete: number },
): Figure[] {
  return [
    exactly('rows in the ledger that are complete', results['complete'] ?? 0, complete),
    exactly('of them without the upstream’s count', uncounted, 0),
    exactly('left open in the ledger', stillOpen, 0),
    none('ledger promises broken', countOf(violations)),
  ]
}

export function countOf(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(words.map((word) => [word, 1]))
}
