import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { errorKinds, GatewayError } from '#chat/error.ts'
import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import type { Engine, EngineStatus } from '#engine/engine.ts'
import type { ModelFacts } from '#engine/orders.ts'
import { isObject } from '#std/json.ts'

/** Where commands reach the server of a home: a socket that only its owner can open. */
export function controlSocket(home: string): string {
  return join(home, 'control.sock')
}

export interface ControlOptions {
  readonly home: string
  /** The engine that is in force at the moment. */
  readonly engine: () => Engine | undefined
  readonly log: Logger
}

/** How long a server that lives takes to answer at most, in milliseconds. */
const livingWithinMs = 500

/**
 * Opens the control socket, through which other commands ask this server for something. A socket that a dead server
 * left is replaced. Where another server lives, or no socket can be made, this server goes without.
 */
export async function openControl(options: ControlOptions): Promise<Disposable | undefined> {
  const { home, log } = options
  const socket = controlSocket(home)
  if (existsSync(socket) && (await isAnswered(socket))) {
    log.warn(
      { socket },
      'Another server of this home has the control socket; this one goes without.',
    )
    return undefined
  }
  try {
    rmSync(socket, { force: true })
    const server = served(socket, options)
    return {
      [Symbol.dispose]: () => {
        void server.stop(true)
        rmSync(socket, { force: true })
      },
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    log.warn({ socket, cause }, 'There is no control socket: commands cannot ask this server.')
    return undefined
  }
}

/** What the server says of its engine. Throws `CommandFailure` if no server of this home runs. */
export async function askStatus(home: string): Promise<EngineStatus> {
  // The other side is this very file.
  return (await askControl(home, '/engine')) as EngineStatus
}

/** Lets the server load a model. */
export async function askLoad(home: string, model: string): Promise<ModelFacts> {
  return (await askControl(home, '/engine/load', { model })) as ModelFacts
}

/** Lets the server unload a model. Gives whether it was loaded. */
export async function askUnload(home: string, model: string): Promise<boolean> {
  const { wasLoaded } = (await askControl(home, '/engine/unload', { model })) as {
    wasLoaded: boolean
  }
  return wasLoaded
}

async function askControl(home: string, path: string, body?: object): Promise<unknown> {
  const response = await answerOf(home, path, body)
  const value: unknown = await response.json()
  if (response.ok) return value
  const { code, message } = isObject(value) ? value : {}
  throw new GatewayError(codeIn(code), String(message))
}

function codeIn(code: unknown): GatewayError['code'] {
  return (
    (Object.keys(errorKinds) as GatewayError['code'][]).find((one) => one === code) ?? 'internal'
  )
}

async function answerOf(home: string, path: string, body: object | undefined): Promise<Response> {
  const unix = controlSocket(home)
  try {
    return await fetch(`http://parley${path}`, {
      unix,
      timeout: false,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    } as BunFetchRequestInit)
  } catch {
    throw new CommandFailure(
      exitCodes.unavailable,
      `No server of ${home} runs: nobody answers at ${unix}. Start one with parley serve, under the same PARLEY_HOME.`,
    )
  }
}

async function isAnswered(unix: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(livingWithinMs)
    const response = await fetch('http://parley/engine', { unix, signal } as BunFetchRequestInit)
    await response.body?.cancel()
    return true
  } catch {
    // Nobody lives there.
    return false
  }
}

function served(unix: string, { engine }: ControlOptions): { stop(now: boolean): unknown } {
  // What is made between these lines is only this user's from its first moment.
  const former = process.umask(0o177)
  try {
    return Bun.serve({
      unix,
      fetch(request, server) {
        // Loading a large model takes minutes.
        server.timeout(request, 0)
        return answer(request, engine())
      },
    })
  } finally {
    process.umask(former)
  }
}

type Route = (engine: Engine, request: Request) => unknown

const routes: Readonly<Record<string, Route>> = {
  'GET /engine': (engine) => engine.status(),
  'POST /engine/load': async (engine, request) =>
    engine.load(await modelIn(request), request.signal),
  'POST /engine/unload': async (engine, request) => ({
    wasLoaded: await engine.unload(await modelIn(request)),
  }),
}

async function answer(request: Request, engine: Engine | undefined): Promise<Response> {
  try {
    const route = routes[`${request.method} ${new URL(request.url).pathname}`]
    if (route === undefined)
      throw new GatewayError('path-unknown', 'The server has no such thing on its control socket.')
    if (engine === undefined)
      throw new GatewayError(
        'model-unknown',
        'The config of the server has the engine switched off.',
      )
    return Response.json(await route(engine, request))
  } catch (error) {
    const { code, message, status } = GatewayError.from(error)
    return Response.json({ code, message }, { status })
  }
}

async function modelIn(request: Request): Promise<string> {
  const body: unknown = await request.json()
  const model = isObject(body) ? body['model'] : undefined
  if (typeof model === 'string') return model
  throw new GatewayError('request-invalid', 'Expected a body with a `model`.', { param: 'model' })
}
