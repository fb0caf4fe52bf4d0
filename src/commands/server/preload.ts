import type { Logger } from 'pino'

import type { ModelCard } from '#chat/model-card.ts'
import type { Gateway } from '#gateway.ts'
import { engineName } from '#upstreams/engine-upstream.ts'

import { chatModelOf } from './welcome.ts'

/** Where the engine is all that there is, its chat model is loaded before the first caller asks for it. */
export async function preload(
  gateway: Pick<Gateway, 'models' | 'engine'>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const cards = await gateway.models()
  const model = chatModelOf(cards)
  if (model === undefined || cards.some(isElsewhere) || signal.aborted) return
  try {
    await gateway.engine?.load(model.id, signal)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    if (!signal.aborted)
      log.warn({ model: model.id, cause }, 'The model could not be loaded ahead.')
  }
}

function isElsewhere({ upstream }: ModelCard): boolean {
  return upstream !== engineName
}
