import { families, type Family } from '#chat/conversation.ts'

/**
 * A signature of the gateway's own, for a thought that came without one. It says whose thought it is, and is told
 * apart from a genuine signature at once: no vendor's contains a dot.
 */
export function mintedSignature(family: Family): string {
  return prefix + family
}

/** Whether the gateway made this signature. It is never shown to a vendor that checks signatures. */
export function isMintedSignature(signature: string): boolean {
  return signature.startsWith(prefix)
}

/** Whose thought a minted signature marks; undefined for a signature that is not the gateway's. */
export function familyOfSignature(signature: string): Family | undefined {
  if (!isMintedSignature(signature)) return undefined
  const name = signature.slice(prefix.length)
  return families.find((family) => family === name) ?? 'unknown'
}

const prefix = 'parley.1.'
