import type { Answer } from '#console/web/api/contract.ts'

export type EngineStatus = Answer<'GET /api/engine'>
export type LoadedModel = EngineStatus['models'][number]
export type ModelFile = Answer<'GET /api/engine/models'>['models'][number]

/** What of the engine has to be asked anew when something was done to it. */
export const engineQuestions = [
  'GET /api/engine',
  'GET /api/engine/models',
  'GET /api/models',
] as const

/** What a model on disk takes at least, or undefined where its file does not say. */
export function leastBytes({ estimate }: ModelFile): number | undefined {
  return estimate === null ? undefined : estimate.weightBytes + estimate.contextBytes
}
