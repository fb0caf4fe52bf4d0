import { AdminProblem } from '#console/access/problem.ts'

import type { Route } from './route.ts'

/** A route, and what its path says. */
export interface Matched {
  readonly name: string
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Finds the row of a request. What has no row is not there. */
export class Router {
  readonly #byLength = new Map<number, Pattern[]>()

  constructor(routes: Readonly<Record<string, Route>>) {
    for (const [name, route] of Object.entries(routes)) {
      const segments = route.path.split('/').slice(1)
      const patterns = this.#byLength.get(segments.length) ?? []
      patterns.push({ name, route, segments })
      // Words come before names: `/api/usage/verify` is no exchange called so.
      patterns.sort((one, other) => namesIn(one) - namesIn(other))
      this.#byLength.set(segments.length, patterns)
    }
  }

  /** Whether there is a row for this path, whatever the method. */
  has(path: string): boolean {
    return this.#fitting(path.split('/').slice(1)).length > 0
  }

  /** Throws `not-found` or `method-rejected`. */
  find(method: string, path: string): Matched {
    const segments = path.split('/').slice(1)
    const fitting = this.#fitting(segments)
    if (fitting.length === 0)
      throw new AdminProblem('not-found', 'There is no such path. GET /api/openapi.json has all.')
    const asked = method === 'HEAD' ? 'GET' : method
    const found = fitting.find(({ route }) => route.method === asked)
    if (found === undefined)
      throw new AdminProblem(
        'method-rejected',
        `Use ${[...new Set(fitting.map(({ route }) => route.method))].join(' or ')} here.`,
      )
    return { name: found.name, route: found.route, params: paramsOf(found.segments, segments) }
  }

  #fitting(segments: readonly string[]): readonly Pattern[] {
    return (this.#byLength.get(segments.length) ?? []).filter((pattern) =>
      pattern.segments.every((word, at) => isName(word) || word === segments[at]),
    )
  }
}

interface Pattern {
  readonly name: string
  readonly route: Route
  readonly segments: readonly string[]
}

function isName(segment: string): boolean {
  return segment.startsWith('{')
}

function namesIn({ segments }: Pattern): number {
  return segments.filter(isName).length
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> {
  const entries = pattern.flatMap((word, at) =>
    isName(word) ? [[word.slice(1, -1), decoded(segments[at] ?? '')] as const] : [],
  )
  return Object.fromEntries(entries)
}

const longestParam = 400

function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment)
    if (text !== '' && text.length <= longestParam && !/\p{C}/u.test(text)) return text
  } catch {
    // What is no valid encoding names nothing.
  }
  throw new AdminProblem('not-found', 'There is nothing of that name.')
}
