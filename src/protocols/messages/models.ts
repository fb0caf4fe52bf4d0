import { GatewayError } from '#chat/error.ts'
import type { ModelCard } from '#chat/model-card.ts'
import { readCount } from '#chat/usage.ts'
import { given } from '#protocols/given.ts'
import { isObject, type JsonObject, parseJson } from '#std/json.ts'

import { textIn } from './wire.ts'

/** Reads an upstream's list of models. Throws `upstream-failed` for what is none. */
export function decodeModels(text: string): Omit<ModelCard, 'upstream'>[] {
  const parsed = parseJson(text)
  const list = parsed.ok && isObject(parsed.value) ? parsed.value['data'] : undefined
  if (!Array.isArray(list)) {
    throw new GatewayError(
      'upstream-failed',
      'The upstream answered with a body that is no list of models: expected an object with a data list.',
      { cause: new Error(`The upstream answered: ${text.slice(0, 2000)}`) },
    )
  }
  const cards = list.filter(isObject).flatMap(decodeModel)
  const seen = new Set<string>()
  return cards.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/**
 * One page of the list, newest first, by the caller's `limit` (1 to 1000, 20 if not given), `after_id` or `before_id`.
 * An id that is not in the list has nothing beside it. Throws `request-invalid` for a limit that is none.
 */
export function encodeModelList(cards: readonly ModelCard[], query: URLSearchParams): string {
  const { data, hasMore } = pageOf(cards.toSorted(newestFirst), query)
  return JSON.stringify({
    data: data.map(wireModel),
    has_more: hasMore,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  })
}

/** One model, as it stands in the list. */
export function encodeModel(card: ModelCard): string {
  return JSON.stringify(wireModel(card))
}

function decodeModel(item: JsonObject): Omit<ModelCard, 'upstream'>[] {
  const id = textIn(item['id'])
  if (id === '') return []
  const created = Math.floor(Date.parse(textIn(item['created_at'])) / 1000)
  const card = {
    id,
    ...given('ownedBy', textIn(item['owned_by']) || undefined),
    // Servers of the other protocol's habits write seconds; nobody knows a model from before 1970.
    ...given('created', readCount(created) || readCount(item['created'])),
    ...given('displayName', textIn(item['display_name']) || undefined),
    ...given('maxInput', readCount(item['max_input_tokens'])),
    ...given('maxOutput', readCount(item['max_tokens'])),
  }
  return [card]
}

// The sort is stable: models of one age keep the order in which they were listed.
function newestFirst(one: ModelCard, other: ModelCard): number {
  return (other.created ?? 0) - (one.created ?? 0)
}

interface Page {
  readonly data: readonly ModelCard[]
  readonly hasMore: boolean
}

function pageOf(cards: readonly ModelCard[], query: URLSearchParams): Page {
  const limit = limitIn(query)
  const before = query.get('before_id')
  const after = query.get('after_id')
  if (before !== null) {
    const end = Math.max(0, indexOf(cards, before))
    const start = Math.max(0, end - limit)
    return { data: cards.slice(start, end), hasMore: start > 0 }
  }
  const found = after === null ? -1 : indexOf(cards, after)
  const start = after !== null && found === -1 ? cards.length : found + 1
  return { data: cards.slice(start, start + limit), hasMore: start + limit < cards.length }
}

function indexOf(cards: readonly ModelCard[], id: string): number {
  return cards.findIndex((card) => card.id === id)
}

function limitIn(query: URLSearchParams): number {
  const said = query.get('limit')
  if (said === null || said === '') return 20
  const limit = /^\d{1,6}$/.test(said) ? Number(said) : 0
  if (limit >= 1 && limit <= 1000) return limit
  throw new GatewayError('request-invalid', 'limit: expected a whole number from 1 to 1000.', {
    param: 'limit',
  })
}

/** Every member that the official clients know; what is not known of a model is null. */
function wireModel(card: ModelCard): object {
  return {
    type: 'model',
    id: card.id,
    display_name: card.displayName ?? card.id,
    created_at: timeText(card.created ?? 0),
    max_input_tokens: card.maxInput ?? null,
    max_tokens: card.maxOutput ?? null,
    capabilities: null,
  }
}

/** The last second of the year 9999, after which the format of times has no more digits. */
const lastSecond = 253_402_300_799

/** A time that cannot be is told as unknown: some servers count in smaller units than seconds. */
function timeText(seconds: number): string {
  const known = seconds <= lastSecond ? seconds : 0
  return new Date(known * 1000).toISOString().replace('.000Z', 'Z')
}
