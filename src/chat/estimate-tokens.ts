import type { Block, Conversation, MediaSource, Tool, Turn } from './conversation.ts'
import type { MediaParts } from './media-parts.ts'

/**
 * About how many tokens a conversation takes as input: an estimate, for upstreams that cannot count. It is the same
 * for the same conversation, grows with it, and is never below 1.
 */
export function estimateInput({ turns, tools, format }: Conversation): number {
  let tokens = tools.length > 0 ? toolsPreamble : 0
  for (const turn of turns) tokens += turnTokens(turn)
  for (const tool of tools) tokens += toolTokens(tool)
  if (format?.type === 'schema') tokens += textTokens(format.schema)
  return Math.max(1, Math.ceil(tokens))
}

/** About how many tokens a text takes: an estimate, for answers whose count nobody reported. 0 for no text. */
export function estimateText(text: string): number {
  return Math.ceil(textTokens(text))
}

/** Characters of JSON that make about one token. */
const jsonUnitsPerToken = 4

/** About how many tokens a body of JSON takes, by the lengths of what is in it: for limits, and for what nobody counted. */
export function roughInput(json: string, { images, imageLength, fileLength }: MediaParts): number {
  const text = (json.length - imageLength - fileLength) / jsonUnitsPerToken
  return Math.ceil(text + images * imageTokens + fileLength / base64UnitsPerToken)
}

/** What a chat template puts around a turn, around a tool, and around a call or its result. */
const turnOverhead = 4
const toolOverhead = 10
const pairOverhead = 8

/** The instructions on calling tools that come with the first of them. */
const toolsPreamble = 120

/** An image of a common size, and a file of which only the size is known. */
const imageTokens = 1200
const base64UnitsPerToken = 40
const linkedFileTokens = 2000

function turnTokens({ blocks }: Turn): number {
  let tokens = turnOverhead
  for (const block of blocks) tokens += blockTokens(block)
  return tokens
}

function blockTokens(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return textTokens(block.text)
    case 'image':
      return imageTokens
    case 'document':
      return sourceTokens(block.source) + textTokens(`${block.title ?? ''}${block.context ?? ''}`)
    case 'audio':
      return block.data.length / base64UnitsPerToken
    case 'call':
      return pairOverhead + textTokens(block.name) + textTokens(block.arguments)
    case 'result':
      return pairOverhead + contentTokens(block.content ?? '')
    case 'other':
      return textTokens(block.raw)
  }
}

function contentTokens(content: string | readonly Block[]): number {
  if (typeof content === 'string') return textTokens(content)
  let tokens = 0
  for (const block of content) tokens += blockTokens(block)
  return tokens
}

function sourceTokens(source: MediaSource): number {
  switch (source.type) {
    case 'text':
      return textTokens(source.text)
    case 'base64':
      return source.data.length / base64UnitsPerToken
    case 'url':
    case 'file':
      return linkedFileTokens
  }
}

function toolTokens({ name, description, schema }: Tool): number {
  return toolOverhead + textTokens(name) + textTokens(description ?? '') + textTokens(schema ?? '')
}

/** How many characters common vocabularies take for a token: few in scripts that they know less of. */
const unitsPerLatinToken = 3.6
const unitsPerOtherToken = 2
const unitsPerIdeographToken = 1.1

const firstIdeograph = 0x2e80

function textTokens(text: string): number {
  let other = 0
  let ideographs = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (code < firstIdeograph) other++
    else ideographs++
  }
  const latin = text.length - other - ideographs
  return (
    latin / unitsPerLatinToken + other / unitsPerOtherToken + ideographs / unitsPerIdeographToken
  )
}
