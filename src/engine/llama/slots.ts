import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'

import { GatewayError } from '#chat/error.ts'

/** A sequence of a context, lent to one answer. What it has read before stays in it for the next one. */
export interface Slot {
  readonly sequence: LlamaContextSequence
  /** Whose answer it is lent to; undefined while it is idle. */
  holder: Holder | undefined
  /** Counts up: the smaller, the longer ago. */
  lastUsed: number
}

/** An answer. Once nobody wants it any more it gives its slot back, after the token that is being made. */
export interface Holder {
  readonly isAborted: () => boolean
}

/** The sequences of a context. */
export interface Slots {
  readonly all: readonly Slot[]
  /** Those who wait for a slot that is coming back. */
  line: Waiter[]
  uses: number
}

interface Waiter {
  readonly holder: Holder
  readonly wake: () => void
}

export function slotsOf(context: LlamaContext): Slots {
  const all = Array.from({ length: context.totalSequences }, () => ({
    sequence: context.getSequence(),
    holder: undefined,
    lastUsed: 0,
  }))
  return { all, line: [], uses: 0 }
}

/**
 * Lends the idle sequence that has read the most of the prompt. Where that is little, the one that has not been used for longest
 * is taken, so that another conversation keeps what it has. If none is idle it waits for one whose answer nobody wants any more,
 * and throws `engine-busy` if there is none of those for it. Undefined if the holder itself is aborted.
 */
export async function takeSlot(
  slots: Slots,
  prompt: readonly Token[],
  holder: Holder,
): Promise<Slot | undefined> {
  while (!holder.isAborted()) {
    const best = bestIdle(slots, prompt)
    if (best !== undefined) {
      best.holder = holder
      best.lastUsed = ++slots.uses
      return best
    }
    await comingBack(slots, holder)
  }
  return undefined
}

export function giveBack(slots: Slots, slot: Slot): void {
  slot.holder = undefined
  const waiters = slots.line
  slots.line = []
  for (const { wake } of waiters) wake()
}

/**
 * How many tokens at the beginning of the prompt the sequence has read and can go on from. At least one is always left to be read
 * anew.
 */
export function sharedTokens(sequence: LlamaContextSequence, prompt: readonly Token[]): number {
  const { firstDifferentIndex } = sequence.compareContextTokens([...prompt])
  return resumable(sequence, Math.min(firstDifferentIndex, Math.max(0, prompt.length - 1)))
}

/**
 * A model with a sliding window, or with one state for all that it has read, cannot go back to any token: for one that it does not
 * hold any more, the library would read all that is kept anew, in one go and with all other answers stopped. Such a model goes
 * on from its last checkpoint, or from the beginning.
 */
function resumable(sequence: LlamaContextSequence, shared: number): number {
  if (!sequence.needsCheckpoints || shared > sequence.stateCellsStartIndex) return shared
  const { lastCheckpointIndex: last } = sequence
  return last > 0 && last < shared ? last + 1 : 0
}

/** Resolves when a slot has come back. Each of those who wait has one that is on its way. */
function comingBack({ all, line }: Slots, holder: Holder): Promise<void> {
  const leaving = all.filter((slot) => slot.holder?.isAborted() === true).length
  if (line.filter((waiter) => !waiter.holder.isAborted()).length >= leaving)
    throw new GatewayError(
      'engine-busy',
      `All ${all.length} answers that the model can give at once are being given.`,
    )
  return new Promise((wake) => line.push({ holder, wake }))
}

function bestIdle({ all }: Slots, prompt: readonly Token[]): Slot | undefined {
  return all
    .filter(({ holder }) => holder === undefined)
    .map((slot) => ({
      slot,
      shared: sharedTokens(slot.sequence, prompt),
      kept: slot.sequence.nextTokenIndex,
    }))
    .toSorted((a, b) => worth(b, prompt) - worth(a, prompt) || a.slot.lastUsed - b.slot.lastUsed)[0]
    ?.slot
}

interface Candidate {
  readonly shared: number
  readonly kept: number
}

/** A beginning that is half of the prompt, or half of what the sequence keeps, is its own conversation. */
function worth({ shared, kept }: Candidate, prompt: readonly Token[]): number {
  return shared * 2 >= prompt.length || (kept > 0 && shared * 2 >= kept) ? shared : 0
}
