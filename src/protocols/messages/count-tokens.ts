/** Says a count of input tokens, which is at least 1 in this protocol. */
export function encodeCount(inputTokens: number): string {
  return JSON.stringify({ input_tokens: Math.max(1, Math.ceil(inputTokens)) })
}
