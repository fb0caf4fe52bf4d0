/**
 * Says that a request is longer than the model can take in the words that coding agents look for, whatever the
 * upstream called it: after the one an agent asks for a shorter answer, after the other it shortens its history.
 */
export function overflowWords(message: string): string {
  if (isKnown(message)) return message
  const { input, output, limit } = countsIn(message)
  if (input === undefined || limit === undefined) return `prompt is too long: ${message}`
  if (input > limit || output === undefined)
    return `prompt is too long: ${input} tokens > ${limit} maximum. ${message}`
  return `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again. ${message}`
}

/** Whether agents know what to do after this message as it is. */
export function isKnown(message: string): boolean {
  return /prompt is too long|prompt_too_long|exceed context limit/.test(message)
}

interface Counts {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly limit?: number | undefined
}

/** How vendors and model servers put it. `total` is of input and output together. */
const wordings: readonly RegExp[] = [
  /maximum context length is (?<limit>\d+) tokens\. However, you requested (?<total>\d+) tokens \(.*?(?<output>\d+) in the completion/,
  /too large: (?<output>\d+)\. This model's maximum context length is (?<limit>\d+) tokens and your request has (?<input>\d+) input tokens/,
  /passed (?<input>\d+) input tokens and requested (?<output>\d+) output tokens\. However, the model's context length is only (?<limit>\d+) tokens/,
  /maximum context length is (?<limit>\d+) tokens\. However, your (?:messages|prompt|input) resulted in (?<input>\d+) tokens/,
  /maximum context length of (?<limit>\d+) tokens\. You requested a total of \d+ tokens: (?<input>\d+) tokens from the input messages and (?<output>\d+) tokens for the completion/,
  /maximum context length is (?<limit>\d+) tokens\. However, you requested (?<output>\d+) output tokens and your prompt contains at least (?<input>\d+) input tokens/,
  /(?:request|input) \((?<input>\d+) tokens\) (?:exceeds the available context size|is longer than the model's context length) \((?<limit>\d+) tokens\)/,
  /prompt \((?:total )?length (?<input>\d+)\) is (?:longer than the maximum model length of|too long to fit into the model \(context length) (?<limit>\d+)/,
  /maximum prompt length is (?<limit>\d+) but the request contains (?<input>\d+) tokens/,
  /input token count \((?<input>\d+)\) exceeds the maximum number of tokens allowed \((?<limit>\d+)\)/,
  /Prompt contains (?<input>\d+) tokens.*too large for model with (?<limit>\d+) maximum context length/,
]

function countsIn(message: string): Counts {
  for (const wording of wordings) {
    const counts = wording.exec(message)?.groups
    if (counts !== undefined) return countsOf(counts)
  }
  return {}
}

function countsOf({ input, output, total, limit }: Readonly<Record<string, string>>): Counts {
  return {
    input: input === undefined ? Number(total) - Number(output) : Number(input),
    output: output === undefined ? undefined : Number(output),
    limit: Number(limit),
  }
}
