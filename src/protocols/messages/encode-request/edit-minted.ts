import type { Notes } from '#chat/note.ts'
import type { RequestBody } from '#chat/request.ts'
import { type Edit, removeElements } from '#protocols/edit-text.ts'
import { saidElements, saidMember, topMember } from '#protocols/messages/decode-request/said.ts'
import { isMintedSignature } from '#protocols/signature.ts'
import { isObject } from '#std/json.ts'

/**
 * Takes out the thoughts that carry a signature of the gateway's own, or none at all, from answers of other upstreams:
 * whoever checks signatures refuses them. A message of nothing else goes with them.
 */
export function editsOfMinted(body: RequestBody, notes: Notes): Edit[] {
  const { messages } = body.value
  if (!Array.isArray(messages) || !messages.some((one) => blocksOf(one).some(isMinted))) return []
  const said = topMember(body, 'messages')
  if (said === undefined) return []
  const places = saidElements(said)
  const edits = removeElements(places, (index) => isMintedOnly(messages[index]))
  for (const [index, place] of places.entries()) {
    const blocks = blocksOf(messages[index])
    if (blocks.some(isMinted))
      notes.add(`messages[${index}].content`, 'thoughts of another model dropped')
    const content = blocks.some(isMinted) ? saidMember(place, 'content') : undefined
    if (content === undefined || blocks.every(isMinted)) continue
    edits.push(...removeElements(saidElements(content), (block) => isMinted(blocks[block])))
  }
  return edits
}

function blocksOf(message: unknown): readonly unknown[] {
  return isObject(message) && Array.isArray(message.content) ? message.content : []
}

function isMintedOnly(message: unknown): boolean {
  const blocks = blocksOf(message)
  return blocks.length > 0 && blocks.every(isMinted)
}

/** A thought without a signature is as much another model's as one that the gateway signed for it. */
function isMinted(block: unknown): boolean {
  if (!isObject(block) || block.type !== 'thinking') return false
  const { signature } = block
  return typeof signature !== 'string' || signature === '' || isMintedSignature(signature)
}
