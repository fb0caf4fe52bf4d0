import { GatewayError } from '#chat/error.ts'

import type { Candidate } from './order.ts'
import type { Wish } from './wish.ts'

/**
 * Those that can do what the request needs, as far as is known: a profile that says nothing is taken to be able.
 * Throws `not-expressible` if none can.
 */
export function fitting(
  candidates: readonly Candidate[],
  wish: Wish,
  name: string,
): readonly Candidate[] {
  const isAsked = candidates.some(({ target }) => says(target.model.profile))
  if (!isAsked) return candidates
  const needs = wish.needs()
  const able = candidates.filter(({ target: { model } }) => {
    const { takesImages, takesTools, contextSize = Infinity } = model.profile
    if (needs.images && takesImages === false) return false
    if (needs.tools && takesTools === false) return false
    return wish.leastInput <= contextSize
  })
  if (able.length === 0) throw unfit(name, { ...needs, leastInput: wish.leastInput })
  return able
}

function says({ takesImages, takesTools, contextSize }: Candidate['target']['model']['profile']) {
  return takesImages === false || takesTools === false || contextSize !== undefined
}

interface Needed {
  readonly images: boolean
  readonly tools: boolean
  readonly leastInput: number
}

function unfit(name: string, { images, tools, leastInput }: Needed): GatewayError {
  const needed = [
    ...(images ? ['images'] : []),
    ...(tools ? ['tools'] : []),
    `at least ${leastInput} input tokens`,
  ]
  return new GatewayError(
    'not-expressible',
    `No target of the model \`${name}\` takes ${needed.join(' and ')}. Ask for another model, or for less.`,
    { param: 'model' },
  )
}
