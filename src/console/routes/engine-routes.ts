import { z } from 'zod'

import { AdminProblem, invalid } from '#console/access/problem.ts'
import { type Asked, does, reads } from '#console/api/route.ts'
import type { Engine } from '#engine/engine.ts'
import type { ModelShelfMark } from '#engine/files/model-store.ts'
import { pull } from '#engine/files/pull.ts'
import { readSource, shownUrl } from '#engine/files/source.ts'
import { freeMemory } from '#engine/free-memory.ts'
import { memoryEstimate } from '#engine/memory-estimate.ts'

import { progressOf } from './progress.ts'
import { count, done, okay, time } from './shapes.ts'

const facts = z.looseObject({
  kind: z.enum(['chat', 'embedding']),
  contextSize: count,
  sequences: count,
  memoryBytes: count,
})

const status = z
  .strictObject({
    isOn: z.boolean(),
    pid: count.nullable(),
    losses: count,
    gpu: z.union([z.string(), z.literal(false)]).nullable(),
    threads: count.nullable(),
    residentBytes: count.nullable(),
    freeBytes: count.meta({ description: 'Memory that a model may still take' }),
    queueLimit: count.meta({
      description: 'How many callers may wait for an answer of each model',
    }),
    models: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(['loaded', 'loading']),
        facts: facts.exactOptional(),
        working: count,
        waiting: count,
      }),
    ),
  })
  .meta({ id: 'EngineStatus' })

const fileOnDisk = z
  .strictObject({
    name: z.string(),
    file: z.string(),
    origin: z.enum(['box', 'folder', 'config']),
    bytes: count,
    since: time.or(z.number()),
    head: z.looseObject({}).nullable(),
    manifest: z.looseObject({}).nullable(),
    estimate: z
      .strictObject({
        weightBytes: count,
        contextBytes: count,
        contextSize: count,
        sequences: count,
      })
      .nullable()
      .meta({ description: 'What it takes of memory at least when it is loaded' }),
  })
  .meta({ id: 'ModelFile' })

const pullEvent = z
  .union([
    z.strictObject({ file: z.string(), bytes: count, total: count.nullable() }),
    z.strictObject({
      model: z.string(),
      files: z.array(z.string()),
      bytes: count,
      sha256: z.string(),
    }),
    z.strictObject({ code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'PullEvent', description: 'Of `progress`, `done` or `failed`' })

/** The engine in this gateway, and its model files. */
export const engineRoutes = {
  'engine-status': reads({
    path: '/api/engine',
    role: 'viewer',
    tenant: 'none',
    summary: 'Show the engine: its process, what is in memory, who works and waits.',
    answer: status,
    async handle({ parts }) {
      const engine = parts.engine()
      const { pid, losses, gpu, threads, residentBytes, models } = engine?.status() ?? off
      return {
        isOn: engine !== undefined,
        pid: pid ?? null,
        losses,
        gpu: gpu ?? null,
        threads: threads ?? null,
        residentBytes: residentBytes ?? null,
        freeBytes: await freeFor(engine),
        queueLimit: engine?.usual.queue ?? 0,
        models: models.map(({ facts: known, ...rest }) => ({
          ...rest,
          ...(known !== undefined && { facts: { ...known } }),
        })),
      }
    },
  }),
  'engine-models': reads({
    path: '/api/engine/models',
    role: 'viewer',
    tenant: 'none',
    summary: 'List the model files on disk.',
    answer: z.strictObject({ models: z.array(fileOnDisk) }),
    async handle({ parts }) {
      const engine = parts.engine()
      if (engine === undefined) return { models: [] }
      const free = await freeFor(engine)
      const marks = await engine.store.catalogue()
      return { models: marks.map((mark) => shownMark(mark, engine, free)) }
    },
  }),
  'engine-load': does({
    method: 'POST',
    path: '/api/engine/models/{name}/load',
    role: 'operator',
    tenant: 'whole',
    action: 'engine-load',
    summary: 'Load a model into memory.',
    answer: z.strictObject({ name: z.string(), facts }),
    objectOf,
    async handle({ parts, params, signal }) {
      const loaded = await engineOf(parts).load(params.name, signal)
      return { name: params.name, facts: { ...loaded } }
    },
  }),
  'engine-unload': does({
    method: 'POST',
    path: '/api/engine/models/{name}/unload',
    role: 'operator',
    tenant: 'whole',
    action: 'engine-unload',
    summary: 'Unload a model that nobody uses at the moment.',
    answer: z.strictObject({ name: z.string(), wasLoaded: z.boolean() }),
    objectOf,
    handle: async ({ parts, params }) => ({
      name: params.name,
      wasLoaded: await engineOf(parts).unload(params.name),
    }),
  }),
  'engine-remove': does({
    method: 'DELETE',
    path: '/api/engine/models/{name}',
    role: 'admin',
    tenant: 'whole',
    action: 'engine-remove',
    summary: 'Remove the file of a model that was pulled.',
    answer: done,
    objectOf,
    async handle({ parts, params }) {
      const engine = engineOf(parts)
      if (engine.status().models.some(({ name }) => name === params.name))
        throw new AdminProblem('conflict', `${params.name} is loaded. Unload it first.`)
      await engine.store.remove(params.name)
      return okay
    },
  }),
  'engine-pull': does({
    method: 'POST',
    path: '/api/engine/pulls',
    role: 'admin',
    tenant: 'whole',
    action: 'engine-pull',
    form: 'events',
    summary: 'Fetch a model file, telling how far it is. It goes on only while somebody listens.',
    body: z.strictObject({
      source: z
        .string()
        .min(1)
        .max(1000)
        .meta({ description: 'owner/repo[:quant], hf:owner/repo[/file.gguf], or an https URL' }),
      sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/)
        .exactOptional(),
    }),
    answer: pullEvent,
    objectOf: ({ body }) => ({
      object: 'engine',
      details: { ...body, source: shownUrl(body.source) },
    }),
    async handle({ parts, body: { source, sha256 }, signal }) {
      const { pulls } = parts
      engineOf(parts)
      if (pulls === undefined) throw new AdminProblem('conflict', 'This gateway keeps no models.')
      refusePath(source)
      return progressOf(signal, (onProgress) =>
        pull(source, { ...pulls, workingFolder: pulls.folder, sha256, onProgress }),
      )
    },
  }),
}

function shownMark(mark: ModelShelfMark, engine: Engine, freeBytes: number) {
  const { name, file, origin, bytes, since, head, manifest } = mark
  return {
    name,
    file,
    origin,
    bytes,
    since,
    head: head === undefined ? null : { ...head },
    manifest: manifest === undefined ? null : { ...manifest },
    estimate: memoryEstimate(mark, engine.usual.load, freeBytes) ?? null,
  }
}

/** What models may still take of this machine's memory, by what the config allows them together. */
async function freeFor(engine: Engine | undefined): Promise<number> {
  if (engine === undefined) return 0
  const { memoryLimit = Infinity } = engine.usual.load
  const taken = engine
    .status()
    .models.reduce((sum, { facts }) => sum + (facts?.memoryBytes ?? 0), 0)
  return Math.max(0, Math.round(await freeMemory(memoryLimit - taken)))
}

const off = {
  pid: undefined,
  losses: 0,
  gpu: undefined,
  threads: undefined,
  residentBytes: undefined,
  models: [],
}

function objectOf({ params }: Asked<{ readonly name: string }>) {
  return { object: `model:${params.name}` }
}

function engineOf(parts: Asked['parts']): Engine {
  const engine = parts.engine()
  if (engine !== undefined) return engine
  throw new AdminProblem('conflict', 'The config has the engine switched off.')
}

/** Whoever administers over the network does not read files of this machine. */
function refusePath(source: string): void {
  const read = readSource(source, '/')
  if (read.type === 'hub' || (read.type === 'url' && read.url.protocol === 'https:')) return
  throw invalid(
    'Expected owner/repo[:quant], hf:owner/repo/file.gguf, or an https URL. A path is taken by "parley pull" alone.',
    'source',
  )
}
