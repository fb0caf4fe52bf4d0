import process from 'node:process'

import { GatewayError } from '#chat/error.ts'
import type { Failure, Order, Report } from '#engine/orders.ts'
import { assertNever } from '#std/never.ts'

import { type Backend, openBackend } from './llama-backend.ts'
import { LoadedModel } from './loaded-model.ts'
import { Outbox } from './outbox.ts'

// The engine's own process: it takes orders and gives reports over the channel to its parent, and ends with it.

const outbox = new Outbox((report) => process.send?.(report))
const models = new Map<string, Promise<LoadedModel>>()
const works = new Map<number, Work>()

/** A piece of work that goes on. */
interface Work {
  readonly model: string
  /** Nobody waits for it any more. */
  isAborted: boolean
  /** Its model is being let go of. */
  isBroken: boolean
  /** Runs from the moment it is aborted. */
  patience?: ReturnType<typeof setTimeout>
}

/** A stretch of a long prompt takes a slow machine a minute; work that stands longer after its abort never comes back. */
const patienceMs = 180_000
const stuckCode = 75

const backend = openBackend(process.env['PARLEY_ENGINE_GPU'], process.platform)
backend.then(
  ({ llama, folder }) =>
    outbox.send({ type: 'ready', gpu: llama.gpu, threads: llama.cpuMathCores, builds: folder }),
  // Every order will be told.
  () => undefined,
)

process.on('message', (order: Order) => void take(order))
process.on('disconnect', () => process.exit(0))
// What the library lets fall in the background belongs to no order; the work it was for fails by itself.
process.on('unhandledRejection', () => undefined)

async function take(order: Order): Promise<void> {
  if (order.type === 'abort') {
    const work = works.get(order.target)
    if (work !== undefined) abort(order.target, work)
    return
  }
  const work: Work = {
    model: 'model' in order ? order.model : '',
    isAborted: false,
    isBroken: false,
  }
  works.set(order.id, work)
  try {
    const report = await carryOut(order, work)
    if (!work.isAborted && report !== undefined) outbox.send(report)
  } catch (error) {
    const failure = failureOf(work.isBroken ? unloaded() : error)
    if (!work.isAborted) outbox.send({ type: 'failed', id: order.id, failure })
  } finally {
    outbox.forget(order.id)
    works.delete(order.id)
    clearTimeout(work.patience)
  }
}

/** Native code cannot be interrupted: if it does not come back, only a new process helps, which the parent starts. */
function abort(id: number, work: Work): void {
  work.isAborted = true
  outbox.forget(id)
  work.patience ??= setTimeout(() => process.exit(stuckCode), patienceMs)
}

/** Does what an order says, and gives the report that ends it. */
async function carryOut(
  order: Exclude<Order, { type: 'abort' }>,
  work: Work,
): Promise<Report | undefined> {
  const { id } = order
  switch (order.type) {
    case 'load': {
      const { facts } = await load(order)
      return { type: 'loaded', id, facts }
    }
    case 'unload':
      await unload(order.model)
      return { type: 'unloaded', id }
    case 'generate': {
      const model = await modelOf(order.model)
      await model.generate(order.conversation, {
        tell: (events) => outbox.tell(id, events),
        isAborted: () => work.isAborted || work.isBroken,
      })
      if (work.isBroken) throw unloaded()
      outbox.flush(id)
      return undefined
    }
    case 'embed': {
      const model = await modelOf(order.model)
      const { vectors, tokens } = await model.embed({ ...order, isAborted: () => work.isAborted })
      return { type: 'embedded', id, vectors, tokens }
    }
    case 'count': {
      const model = await modelOf(order.model)
      return { type: 'counted', id, tokens: model.count(order.conversation) }
    }
    case 'ping':
      return { type: 'alive', id, residentBytes: process.memoryUsage.rss() }
    default:
      return assertNever(order)
  }
}

type LoadOrder = Extract<Order, { type: 'load' }>

async function load({ id, model, file, options }: LoadOrder): Promise<LoadedModel> {
  const opened = await ready()
  const known = models.get(model)
  if (known !== undefined) return await known
  const loading = open(opened, { id, file, options, others: [...models.values()] })
  models.set(model, loading)
  try {
    return await loading
  } catch (error) {
    models.delete(model)
    throw error
  }
}

interface Opening extends Pick<LoadOrder, 'id' | 'file' | 'options'> {
  /** The models that are here already, or come before it. */
  readonly others: readonly Promise<LoadedModel>[]
}

async function open(opened: Backend, { id, file, options, others }: Opening): Promise<LoadedModel> {
  return await LoadedModel.open(opened, file, {
    load: options,
    takenBytes: await takenBy(others),
    progress: (done) => outbox.progress(id, done),
  })
}

async function takenBy(others: Opening['others']): Promise<number> {
  const opened = await Promise.allSettled(others)
  return opened.reduce(
    (sum, one) => (one.status === 'fulfilled' ? sum + one.value.facts.memoryBytes : sum),
    0,
  )
}

async function ready(): Promise<Backend> {
  try {
    return await backend
  } catch (error) {
    throw new GatewayError(
      'upstream-failed',
      'The engine does not run on this machine: no build of llama.cpp fits it.',
      { cause: error },
    )
  }
}

async function unload(name: string): Promise<void> {
  const loading = models.get(name)
  models.delete(name)
  const model = await loading
  for (const work of works.values()) if (work.model === name) work.isBroken = true
  await model?.[Symbol.asyncDispose]()
}

function unloaded(): GatewayError {
  return new GatewayError('upstream-lost', 'The model was unloaded while it answered.')
}

async function modelOf(name: string): Promise<LoadedModel> {
  const model = models.get(name)
  if (model === undefined)
    throw new GatewayError('upstream-failed', `The model ${name} is not loaded.`)
  return await model
}

/** What nobody expected goes to the parent's log; the caller is told no more than that it happened. */
function failureOf(error: unknown): Failure {
  if (!(error instanceof GatewayError)) {
    log(placeOf(error))
    return { code: 'upstream-failed', message: 'The engine failed to answer.' }
  }
  const { code, message, param, detail, cause } = error
  if (cause !== undefined && error.fault !== 'client')
    log(cause instanceof Error ? cause.message : typeof cause)
  return {
    code,
    message,
    ...(param === undefined ? {} : { param }),
    ...(detail === undefined ? {} : { detail }),
  }
}

/** Where it happened. Its message may quote what somebody asked. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frame = /^\s*at .*$/m.exec(error.stack ?? '')?.[0].trim() ?? ''
  return `${error.name} ${frame}`
}

function log(words: string): void {
  process.stderr.write(`engine: ${words.replaceAll('\n', ' ')}\n`)
}
