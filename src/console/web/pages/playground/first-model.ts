import type { Model } from '#console/web/api/contract.ts'

import type { Column } from './conversation.ts'

/** The first model that one can talk to and that is not talked to already. */
export function firstModel(models: readonly Model[], columns: readonly Column[] = []): string {
  const isNew = ({ id }: Model): boolean => columns.every(({ model }) => model !== id)
  const talking = models.filter(({ id }) => !/embed|whisper|tts|dall-e|moderation/.test(id))
  return (talking.find(isNew) ?? talking[0] ?? models[0])?.id ?? ''
}
