import type { Block, Opaque } from '#chat/conversation.ts'
import type { Profile } from '#chat/profile.ts'
import { isMintedSignature, mintedSignature } from '#protocols/signature.ts'

/**
 * The mark with which a thought may be told to a target, or undefined if the target would refuse it. The vendor that
 * signs its thoughts is told only what it signed; a server that is known to check nothing is told every thought.
 */
export function thoughtMark(
  { text, opaque }: Extract<Block, { type: 'reasoning' }>,
  { family }: Profile,
): Opaque | undefined {
  const genuine = opaque.filter(({ kind, data }) => kind !== 'extra' && !isMintedSignature(data))
  const own = genuine.find((mark) => mark.family === family)
  if (own !== undefined || family === 'anthropic') return own
  // It may be another way to the vendor that signs; a server that signs nothing does not mind a signature.
  if (family === 'unknown')
    return genuine.find((mark) => mark.family === 'anthropic' && mark.kind === 'signature')
  return text === '' ? undefined : { family, kind: 'signature', data: mintedSignature(family) }
}
