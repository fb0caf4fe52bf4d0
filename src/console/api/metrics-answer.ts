import { createHash, timingSafeEqual } from 'node:crypto'

import { AdminProblem } from '#console/access/problem.ts'
import type { Visitor } from '#console/access/visitor.ts'
import type { Secret } from '#std/secret.ts'

import type { Metrics } from './parts.ts'
import type { Route } from './route.ts'

/** It is no row of the table of routes: who asks here is a machine, which has no session and reads no JSON. */
export const metricsPath = '/metrics'

/** What takes the place of the token: metrics are about all projects. */
export const metricsRight: Pick<Route, 'role' | 'tenant'> = { role: 'viewer', tenant: 'whole' }

export interface Scraping {
  readonly request: Request
  readonly visitor: Visitor
  readonly headers: Headers
  /** Resolves if somebody is signed in who may. Throws `session-missing` or `role-insufficient`. */
  readonly admit: () => Promise<unknown>
}

/**
 * What Prometheus is told. Who shows the token may ask; where there is none, whoever is on this machine. Everybody else
 * has to be signed in. Throws `not-found` while metrics are switched off.
 */
export async function metricsAnswer(
  metrics: Metrics,
  { request, visitor, headers, admit }: Scraping,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new AdminProblem('method-rejected', 'Use GET here.')
  const known = metrics.token()
  const isScraper = known === undefined ? visitor.isLocal : shows(request.headers, known)
  if (!isScraper) await admit()
  const told = await metrics.exposition()
  if (told === undefined)
    throw new AdminProblem('not-found', 'Metrics are switched off: `telemetry.metrics.enabled`.')
  headers.set('content-type', told.contentType)
  return new Response(told.text, { headers })
}

function shows(headers: Headers, token: Secret): boolean {
  const [, shown] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return shown !== undefined && timingSafeEqual(digest(shown), digest(token.reveal()))
}

/** Equal lengths, whatever was shown. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
