import type { Order, Report } from './orders.ts'

/**
 * A child that speaks the engine's orders and misbehaves as the model's name says, where the real one cannot be made
 * to. Models: `echo` says the prompt again, `endless` never ends, `crash` dies of an order, `deadly` dies of being
 * loaded, `deaf` stops listening, `large` needs the memory for itself, `flood` says far too much,
 * `vectors` embeds, and `log` tells which orders came.
 */
declare const process: {
  readonly pid: number
  readonly on: (event: string, act: (order: Order) => void) => void
  readonly send: (report: Report) => void
  readonly kill: (pid: number, signal: string) => void
}

const loaded = new Set<string>()
const endless = new Map<number, string>()
const log: string[] = []

process.on('message', (order) => {
  if (order.type !== 'ping') log.push(nameOf(order))
  obey(order)
})
process.send({ type: 'ready', gpu: false, threads: 1 })

function obey(order: Order): void {
  switch (order.type) {
    case 'ping':
      return process.send({ type: 'alive', id: order.id, residentBytes: 1 })
    case 'load':
      return load(order)
    case 'unload':
      loaded.delete(order.model)
      return process.send({ type: 'unloaded', id: order.id })
    case 'abort':
      endless.delete(order.target)
      return
    case 'count':
      return process.send({ type: 'counted', id: order.id, tokens: 7 })
    case 'embed': {
      const vectors = order.inputs.map((input) => new Float32Array([input.length, 0.5]))
      return process.send({ type: 'embedded', id: order.id, vectors, tokens: order.inputs.length })
    }
    case 'generate':
      return generate(order)
  }
}

function load({ id, model, options }: Extract<Order, { type: 'load' }>): void {
  if (model === 'deadly') return process.kill(process.pid, 'SIGSEGV')
  if (model === 'large' && loaded.size > 0) {
    const failure = { code: 'engine-busy', message: 'Too large.', detail: 'memory' } as const
    return process.send({ type: 'failed', id, failure })
  }
  loaded.add(model)
  process.send({ type: 'loading', id, done: 0.5 })
  process.send({
    type: 'loaded',
    id,
    facts: {
      kind: model === 'vectors' ? 'embedding' : 'chat',
      architecture: 'script',
      parameters: 1,
      fileBytes: 1,
      contextSize: 100,
      trainedContextSize: 100,
      sequences: options.sequences ?? 1,
      takesImages: false,
      hasTools: false,
      thinks: false,
      memoryBytes: 1,
    },
  })
}

function generate({ id, model, conversation }: Extract<Order, { type: 'generate' }>): void {
  const begin = { type: 'answer-start', model } as const
  switch (model) {
    case 'crash':
      return process.kill(process.pid, 'SIGSEGV')
    case 'crash-later':
      process.send({ type: 'events', id, events: [begin] })
      setTimeout(() => process.kill(process.pid, 'SIGSEGV'), 10)
      return
    case 'deaf':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      return
    case 'endless':
      endless.set(id, model)
      return process.send({ type: 'events', id, events: [begin, { type: 'idle' }] })
    case 'flood':
      for (let count = 0; count < 40; count++)
        process.send({
          type: 'events',
          id,
          events: [{ type: 'block-delta', text: 'x'.repeat(65_536) }],
        })
      return
    default:
      say(id, model === 'log' ? log.join(' ') : textOf(conversation))
  }
}

function say(id: number, text: string): void {
  process.send({
    type: 'events',
    id,
    events: [
      { type: 'answer-start' },
      { type: 'block-start', block: { type: 'text' } },
      { type: 'block-delta', text },
    ],
  })
  process.send({
    type: 'events',
    id,
    events: [
      { type: 'block-end' },
      { type: 'usage', usage: { input: 1, output: 1 } },
      { type: 'answer-end', reason: 'end' },
    ],
  })
}

function textOf({ turns }: Extract<Order, { type: 'generate' }>['conversation']): string {
  return turns
    .flatMap(({ blocks }) => blocks.map((block) => ('text' in block ? block.text : '')))
    .join()
}

function nameOf(order: Order): string {
  return 'model' in order ? `${order.type}:${order.model}` : order.type
}
