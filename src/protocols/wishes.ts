import type { MediaParts } from '#chat/media-parts.ts'
import type { RequestBody } from '#chat/request.ts'
import { isObject, listIn } from '#std/json.ts'

/** What a request needs of the model, read off its body and what of it is no text: both protocols name these things alike. */
export function needsOf(
  { value: { tools, functions } }: RequestBody,
  { images }: MediaParts,
): { images: boolean; tools: boolean } {
  return { images: images > 0, tools: listIn(tools).length + listIn(functions).length > 0 }
}

/**
 * What stays the same from turn to turn of a conversation: the tools, the system prompt, and everything up to the
 * first turn of the user. An upstream's prompt cache begins with it.
 */
export function prefixOf({ value }: RequestBody): string {
  const messages = listIn(value['messages'])
  const first = messages.findIndex((message) => isObject(message) && message['role'] === 'user')
  return JSON.stringify([value['tools'], value['system'], messages.slice(0, first + 1)])
}

/** Whether it does no harm if the request is carried out twice: nothing is stored of it, and nothing acts on its behalf. */
export function mayRepeat({ value }: RequestBody): boolean {
  if (value['store'] === true || value['background'] === true) return false
  if (value['previous_response_id'] !== undefined || value['container'] !== undefined) return false
  return !listIn(value['tools']).some(actsByItself)
}

/** Tools of the upstream's own carry another type than those whose calls the caller carries out. */
function actsByItself(tool: unknown): boolean {
  const type = isObject(tool) ? tool['type'] : undefined
  return type !== undefined && type !== 'function' && type !== 'custom'
}
