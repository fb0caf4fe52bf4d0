import { GatewayError } from '#chat/error.ts'
import { memoryDetail } from '#engine/failures.ts'

import type { Library } from './llama-backend.ts'

/** Why llama.cpp did not load a model, as whoever asked for it is told. */
export function loadFailure(
  cause: unknown,
  { InsufficientMemoryError }: Pick<Library, 'InsufficientMemoryError'>,
): GatewayError {
  if (cause instanceof InsufficientMemoryError)
    return new GatewayError(
      'engine-busy',
      'The model cannot be loaded: its layers for the GPU need more of its memory than is free. Unload another model, or set a smaller `gpuLayers`.',
      { cause, detail: memoryDetail },
    )
  return new GatewayError(
    'upstream-failed',
    'The model cannot be loaded: llama.cpp refuses its file, which may be damaged.',
    { cause },
  )
}
