import { open, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'

import type { GgufFileInfo, GgufInsights } from 'node-llama-cpp'

import { GatewayError } from '#chat/error.ts'
import { type ContextShape, leastContextBytes } from '#engine/context-memory.ts'
import { memoryDetail } from '#engine/failures.ts'
import { freeMemory } from '#engine/free-memory.ts'
import type { LoadOptions } from '#engine/orders.ts'
import { shortestContext, usualContext, usualSequences } from '#engine/usual-load.ts'

import type { Backend } from './llama-backend.ts'

/** A model file that has been looked into and found whole. */
export interface ModelFile {
  readonly path: string
  readonly bytes: number
  readonly info: GgufFileInfo
  readonly insights: GgufInsights
  readonly isEmbedding: boolean
}

/** How a model is to be loaded, and beside what. */
export interface Demand {
  readonly load: LoadOptions
  /** What the models that are loaded take of memory. */
  readonly takenBytes: number
}

/** How a model is loaded, decided by its size and the machine's. */
export interface LoadPlan {
  readonly contextSize: number
  readonly sequences: number
  readonly batchSize: number
  readonly threads: number
  /** What the model and its context are expected to take of this machine's memory. */
  readonly memoryBytes: number
}

/**
 * Looks into a model file before llama.cpp maps it. Throws `upstream-failed` for what is missing, no GGUF, cut short, or of an
 * architecture that llama.cpp does not know.
 */
export async function readModelFile({ library, llama }: Backend, path: string): Promise<ModelFile> {
  const name = basename(path)
  const bytes = await sizeOf(path, name)
  await checkHead(path, { name, bytes })
  const info = await infoOf(library, path)
  const insights = await library.GgufInsights.from(info, llama)
  const architecture = info.metadata.general.architecture
  if (!insights.isSupportedByLlamaCpp)
    throw broken(
      `${name} is of the architecture ${architecture}, which this build of llama.cpp does not know`,
    )
  const whole = (info.infoEndOffset ?? 0) + insights.modelSize
  if (info.splicedParts === 1 && bytes < whole)
    throw broken(`${name} is cut short: it has ${bytes} bytes of ${whole}. Fetch it again`)
  const pooling = Number(Object(info.architectureMetadata).pooling_type ?? 0)
  if (pooling === rankPooling)
    throw new GatewayError(
      'not-expressible',
      `${name} is a model for ranking, which answers neither chats nor embeddings.`,
    )
  return { path, bytes, info, insights, isEmbedding: pooling > 0 }
}

const rankPooling = 4
const batchTokens = 512

/** Models below so many parameters are faster on one thread: more would wait for each other. */
const smallModel = 50_000_000

/**
 * Decides how to load a model. Throws `engine-busy` with the numbers if it takes more memory than there is or may be used.
 */
export async function planLoad(
  file: ModelFile,
  { load: options, takenBytes }: Demand,
  { llama }: Backend,
): Promise<LoadPlan> {
  const { insights, isEmbedding } = file
  const sequences = isEmbedding ? 1 : (options.sequences ?? usualSequences)
  const threads =
    options.threads ?? (insights.totalParameters < smallModel ? 1 : coresOf(llama.cpuMathCores))
  const free = await freeMemory((options.memoryLimit ?? Infinity) - takenBytes)
  const room = free + (await graphicsMemory(llama))
  const estimate = (contextSize: number): Promise<number> => {
    const shape = { contextSize, sequences, batchSize: batchOf(contextSize, isEmbedding) }
    return estimated(file, shape, room)
  }
  let contextSize = options.contextSize ?? usualContext(insights.trainContextSize, isEmbedding)
  let memoryBytes = await estimate(contextSize)
  // Half of what is free is left to others, as long as the context stays of use.
  while (
    options.contextSize === undefined &&
    memoryBytes > free / 2 &&
    contextSize > shortestContext
  ) {
    contextSize = Math.max(shortestContext, Math.floor(contextSize / 2))
    memoryBytes = await estimate(contextSize)
  }
  if (memoryBytes > room)
    throw tooLarge(file, { memoryBytes, room, takenBytes, contextSize, sequences })
  return {
    contextSize,
    sequences,
    threads,
    memoryBytes,
    batchSize: batchOf(contextSize, isEmbedding),
  }
}

async function graphicsMemory(llama: Backend['llama']): Promise<number> {
  return llama.gpu === false ? 0 : (await llama.getVramState()).total
}

/** A text is embedded in one batch, since each of its tokens looks at all others. */
function batchOf(contextSize: number, isEmbedding: boolean): number {
  return isEmbedding ? contextSize : Math.min(contextSize, batchTokens)
}

function coresOf(found: number): number {
  return Math.max(1, found > 0 ? found : availableParallelism())
}

/** Of a context that has no room anyway only the least that it takes: an exact estimate would take gigabytes and hours itself. */
async function estimated(
  { insights, isEmbedding, info, bytes }: ModelFile,
  plan: ContextShape & { readonly batchSize: number },
  room: number,
): Promise<number> {
  const least = bytes + leastContextBytes(Object(info.architectureMetadata), plan)
  if (least > room) return least
  const model = await insights.estimateModelResourceRequirementsV2({ gpuLayers: 0 })
  const context = await insights.estimateContextResourceRequirementsV2({
    ...plan,
    contextSize: plan.contextSize,
    modelGpuLayers: 0,
    isEmbeddingContext: isEmbedding,
  })
  return Math.round(model.cpuRam + context.cpuRam)
}

interface Excess extends ContextShape {
  readonly memoryBytes: number
  readonly room: number
  readonly takenBytes: number
}

/** Others are asked to go only where there is room for it without them. */
function tooLarge(file: ModelFile, excess: Excess): GatewayError {
  const { memoryBytes, room, takenBytes, contextSize, sequences } = excess
  const whole = room + takenBytes
  const needs = `${basename(file.path)} needs about ${mebibytes(memoryBytes)} of memory (${mebibytes(file.bytes)} of weights; ${sequences} answers at once with ${contextSize} tokens each)`
  if (memoryBytes > whole)
    return new GatewayError(
      'engine-busy',
      `${needs}, and ${mebibytes(whole)} may be used. Set a smaller context or fewer answers at once.`,
    )
  return new GatewayError(
    'engine-busy',
    `${needs}, and ${mebibytes(room)} of ${mebibytes(whole)} are free. Unload another model, or set a smaller context or fewer answers at once.`,
    { detail: memoryDetail },
  )
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(Math.max(0, bytes) / 1024 ** 2)} MiB`
}

async function sizeOf(path: string, name: string): Promise<number> {
  try {
    const found = await stat(path)
    if (found.isFile()) return found.size
  } catch (error) {
    throw broken(`the file ${name} is not there, or may not be read`, error)
  }
  throw broken(`${name} is not a file`)
}

const headBytes = 24
const leastMember = 13
const leastTensor = 24

/** The counts in a file's head say how long its tables must be at least; wild ones would be read for hours. */
async function checkHead(
  path: string,
  { name, bytes }: { readonly name: string; readonly bytes: number },
): Promise<void> {
  const head = Buffer.alloc(headBytes)
  const handle = await open(path)
  try {
    await handle.read(head, 0, headBytes, 0)
  } finally {
    await handle.close()
  }
  if (head.toString('latin1', 0, 4) !== 'GGUF') throw broken(`${name} is not a GGUF file`)
  const tables =
    Number(head.readBigUInt64LE(8)) * leastTensor + Number(head.readBigUInt64LE(16)) * leastMember
  if (tables > bytes)
    throw broken(`${name} is damaged or cut short: its tables are longer than the file`)
}

async function infoOf(library: Backend['library'], path: string): Promise<GgufFileInfo> {
  try {
    return await library.readGgufFileInfo(path, { sourceType: 'filesystem', logWarnings: false })
  } catch (error) {
    throw broken(`${basename(path)} is damaged: its tables cannot be read`, error)
  }
}

function broken(what: string, cause?: unknown): GatewayError {
  return new GatewayError('upstream-failed', `The model cannot be loaded: ${what}.`, { cause })
}
