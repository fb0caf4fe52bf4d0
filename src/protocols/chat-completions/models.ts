import { GatewayError } from '#chat/error.ts'
import type { ModelCard } from '#chat/model-card.ts'
import { readCount } from '#chat/usage.ts'
import { given } from '#protocols/given.ts'
import { type JsonObject, parseJson, listIn } from '#std/json.ts'

import { objectIn, textIn } from './wire.ts'

/**
 * Reads an upstream's list of models: this protocol's, a bare list, or llama.cpp's second one. Entries without an
 * id are passed over. Throws `upstream-failed` for what is no list.
 */
export function decodeModels(text: string): Omit<ModelCard, 'upstream'>[] {
  const parsed = parseJson(text)
  const list = parsed.ok ? listOf(parsed.value) : undefined
  if (list === undefined) {
    throw new GatewayError(
      'upstream-failed',
      'The upstream answered with a body that is no list of models: expected an object with a data list.',
      { cause: new Error(`The upstream answered: ${text.slice(0, 2000)}`) },
    )
  }
  const cards = list.flatMap((item) => decodeModel(objectIn(item)))
  const seen = new Set<string>()
  return cards.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** The list of models. This protocol has no pages. */
export function encodeModelList(cards: readonly ModelCard[], _query: URLSearchParams): string {
  return JSON.stringify({ object: 'list', data: cards.map(wireModel) })
}

/** One model, as it stands in the list. */
export function encodeModel(card: ModelCard): string {
  return JSON.stringify(wireModel(card))
}

function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  const body = objectIn(value)
  const list = body?.['data'] ?? body?.['models']
  return Array.isArray(list) ? listIn(list) : undefined
}

function decodeModel(item: JsonObject | undefined): Omit<ModelCard, 'upstream'>[] {
  if (item === undefined) return []
  const id = textIn(item['id']) || textIn(item['name'])
  if (id === '') return []
  const limits = objectIn(item['top_provider'])
  const card = {
    id,
    ...given('ownedBy', textIn(item['owned_by']) || undefined),
    ...given('created', readCount(item['created'])),
    ...given('displayName', textIn(item['display_name']) || undefined),
    ...given('maxInput', firstCount(item, windowMembers)),
    ...given('maxOutput', readCount(limits?.['max_completion_tokens'])),
  }
  return [card]
}

/** Where servers write the context window, the one in use before the one of the training. */
const windowMembers = ['max_model_len', 'context_length', 'context_window', 'max_context_length']

function firstCount(item: JsonObject, members: readonly string[]): number | undefined {
  const meta = objectIn(item['meta'])
  const counts = members.map((member) => readCount(item[member]))
  return [...counts, readCount(meta?.['n_ctx']), readCount(meta?.['n_ctx_train'])].find(Boolean)
}

/** The four members that strict clients want, and the window under the two names that agents look for. */
function wireModel(card: ModelCard): object {
  return {
    id: card.id,
    object: 'model',
    created: card.created ?? 0,
    owned_by: card.ownedBy ?? card.upstream,
    ...given('display_name', card.displayName),
    ...given('context_length', card.maxInput),
    ...given('max_model_len', card.maxInput),
  }
}
