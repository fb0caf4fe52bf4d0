import { GatewayError } from '#chat/error.ts'
import { saysSomething } from '#chat/event.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Answer, Step } from '#chat/step.ts'
import { primed } from '#std/primed.ts'
import type { Call, Target } from '#upstreams/upstream.ts'

import { Plan, type PlanOptions } from './plan.ts'

/** The target that answers, what it gave, and how many were asked until then. */
export interface First<T> {
  readonly target: Target
  readonly value: T
  readonly attempts: number
  /** To be called when the answer has ended: until then the target has it to do. */
  readonly release: () => void
}

export interface Opened extends Omit<First<Answer>, 'value'> {
  readonly answer: Answer
}

/** One asking of a target, as whoever asks it sees it. */
interface Attempt {
  /** From 1. */
  readonly number: number
  /** As in `First`. */
  readonly release: () => void
  /** To be called when an answer has begun: what fails after that has broken it. */
  readonly begins: () => void
}

/** What accompanies the search for a target. */
export interface Asking extends Omit<Call, 'deadlineAt' | 'isRepeatable'>, PlanOptions {
  readonly signal: AbortSignal
  /** Told of every target that is asked, before it is asked. */
  readonly onAttempt?: (target: Target, attempt: number) => void
  /** Told of every target that failed. */
  readonly onFailure?: (target: Target, failure: GatewayError) => void
}

/** A preamble is held back for so long and so much; then the caller is better told that something is coming. */
const holdMs = 10_000
const holdBytes = 64 * 1024

/**
 * Opens the first target that begins to answer, which is when it says something: until then a failure is an
 * ordinary refusal with a status of its own, and the next target may be asked. After it there is no way back.
 */
export async function openFirst(
  targets: readonly Target[],
  request: ChatRequest,
  asking: Asking,
): Promise<Opened> {
  const { value: answer, ...first } = await firstOf(targets, asking, (target) =>
    begun(target, request, asking),
  )
  return { ...first, answer }
}

/**
 * The same for a caller who is told nothing before the answer is whole, which `take` makes of it: one that breaks on the
 * way may still be given by the next target, if it does no harm that the request is carried out twice.
 */
export async function openWhole<T>(
  targets: readonly Target[],
  asking: Asking,
  { request, take }: { readonly request: ChatRequest; take: (opened: Opened) => Promise<T> },
): Promise<T> {
  const { value } = await firstOf(targets, asking, async (target, attempt) => {
    const answer = await begun(target, request, asking)
    attempt.begins()
    return take({ target, answer, attempts: attempt.number, release: attempt.release })
  })
  return value
}

/** Opens an answer, and waits until it says something. */
async function begun(target: Target, request: ChatRequest, asking: Asking): Promise<Answer> {
  const answer = await target.upstream.open(request, target.model, asking)
  const { values } = await primed(answer.steps, { isEnough, patienceMs: holdMs })
  return { ...answer, steps: values }
}

/** Asks the targets in turn until one gives an answer. Goes on only after failures that may be mended so. */
export async function firstOf<T>(
  targets: readonly Target[],
  asking: Asking,
  ask: (target: Target, attempt: Attempt) => Promise<T>,
): Promise<First<T>> {
  const plan = new Plan(targets, asking)
  const noted = asking.notes.list.length
  let target = plan.first()
  let failure: GatewayError | undefined
  while (target !== undefined) {
    const attempt = begin(target, asking, plan.attempts)
    const { number, release } = attempt
    try {
      asking.onAttempt?.(target, number)
      const value = await ask(target, attempt)
      attempt.answered()
      return { target, value, attempts: number, release }
    } catch (error) {
      failure = forCaller(GatewayError.from(error), target)
      attempt.failed(failure)
      asking.onFailure?.(target, failure)
      asking.notes.rewind(noted)
      target = await plan.after(failure, attempt)
    }
  }
  throw (
    failure ??
    new GatewayError('model-unknown', 'No upstream serves this model.', { param: 'model' })
  )
}

/** One asking of a target, as its health is told of it. */
function begin({ model }: Target, asking: Asking, number: number) {
  const health = asking.health.of(model)
  const release = health.begin()
  const startedAt = performance.now()
  const tookMs = (): number => performance.now() - startedAt
  let begunMs: number | undefined
  return {
    number,
    release,
    get hasBegun(): boolean {
      return begunMs !== undefined
    },
    begins: (): void => {
      begunMs = tookMs()
    },
    answered: (): void => health.answered(begunMs ?? tookMs()),
    failed: (failure: GatewayError): void => {
      release()
      health.failed(failure, tookMs())
    },
  }
}

function isEnough(step: Step, held: readonly Step[]): boolean {
  return (
    !isPreamble(step) || held.reduce((sum, { said }) => sum + (said?.length ?? 0), 0) > holdBytes
  )
}

function isPreamble({ isPreamble: isMarked, said, means }: Step): boolean {
  return isMarked ?? (said === undefined && !means.some(saysSomething))
}

/** A name that the caller made up, and that no list holds, is the caller's to correct. */
function forCaller(failure: GatewayError, { isUnlisted, model }: Target): GatewayError {
  if (isUnlisted !== true || failure.upstream?.status !== 404) return failure
  return unknownModel(model.model, failure)
}

/** What a caller is told of a model that nobody serves. */
export function unknownModel(name: string, cause?: unknown): GatewayError {
  return new GatewayError(
    'model-unknown',
    `The model \`${name}\` does not exist or you do not have access to it.`,
    { param: 'model', cause },
  )
}
