import { z } from 'zod'

import { byteSize, duration, given, text, wholeNumber } from './units.ts'

const tokens = wholeNumber(16, 100_000_000)
const sequences = wholeNumber(1, 256)
const gpuLayers = z.union([wholeNumber(0, 100_000), z.literal('auto')], {
  error: 'expected a number of layers, or `auto`',
})

const modelSchema = z
  .strictObject({
    file: text('the path of a GGUF file').describe(
      'Where its file lies. Without it the settings are for a model in the box, or one that was pulled.',
    ),
    contextSize: tokens.describe('Tokens that a prompt and its answer may have together.'),
    sequences: sequences.describe('How many answers it gives at once.'),
    gpuLayers: gpuLayers.describe('Layers on the GPU, where there is one.'),
  })
  .partial()
  .transform(({ file, ...load }) => ({ file, load: given(load) }))

/** What an operator may say of the engine. */
export const engineSchema = z
  .strictObject({
    enabled: z
      .boolean({ error: 'expected `true` or `false`' })
      .default(true)
      .describe('Whether its models are offered.'),
    sequences: sequences.default(4).describe('How many answers a model gives at once.'),
    queue: wholeNumber(0, 100_000)
      .default(64)
      .describe('How many callers may wait for an answer of a model; those beyond it are refused.'),
    idle: duration.default(15 * 60_000).describe('After so long without work a model is unloaded.'),
    threads: wholeNumber(1, 1024)
      .optional()
      .describe('Threads that compute; as many as the machine has fast cores unless said.'),
    memory: byteSize
      .optional()
      .describe(
        'The most that all models and their contexts may take together; more is refused before loading.',
      ),
    gpuLayers: gpuLayers
      .optional()
      .describe('Layers on the GPU, where there is one; as many as fit unless said.'),
    models: z
      .record(text('a model name'), modelSchema)
      .prefault({})
      .describe('Model files of your own, and settings of single models.'),
  })
  .describe('The engine that Parley carries itself: llama.cpp in a process of its own.')
