import { expect, test } from 'bun:test'

import { loadFailure } from './load-failure.ts'

class InsufficientMemoryError extends Error {}
const library = { InsufficientMemoryError }

test('a GPU without room is no fault of the file, and other models may make room', () => {
  const cause = new InsufficientMemoryError('Not enough VRAM')
  const failure = loadFailure(cause, library)
  expect(failure).toMatchObject({ code: 'engine-busy', detail: 'memory', cause })
  expect(failure.message).toContain('GPU')
})

test('whatever else llama.cpp says is of the file', () => {
  const failure = loadFailure(new Error('Failed to load model'), library)
  expect(failure.code).toBe('upstream-failed')
  expect(failure.detail).toBeUndefined()
})
