import pino, { type Logger } from 'pino'

import { parseConfig } from '#config/load.ts'
import { Gateway, type GatewayOptions } from '#gateway.ts'
import { vendorNames } from '#upstreams/vendors/vendors.ts'

/** A gateway on a free port of loopback, with its database in memory and one key. */
export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway
  /** The origin, as the messages SDK takes it. With `/v1` it is what the chat-completions SDK takes. */
  readonly url: string
  readonly key: string
  readonly post: (
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>
}

/** What an operator would write in `parley.yaml`, as a value. */
export interface TestConfig {
  readonly upstreams?: Readonly<Record<string, object>>
  readonly models?: Readonly<Record<string, object>>
  /** Switched off unless said: its models would stand in every list. */
  readonly engine?: object
  readonly [section: string]: object | undefined
}

/** Starts the whole gateway, with real HTTP and a real database; only the upstreams are ours to script. */
export async function startGateway(
  config: TestConfig,
  database = ':memory:',
  log: Logger = pino({ level: 'silent' }),
  {
    admin,
    lines,
    ...surroundings
  }: NonNullable<GatewayOptions['surroundings']> & Pick<GatewayOptions, 'admin' | 'lines'> = {},
): Promise<TestGateway> {
  const text = JSON.stringify({
    engine: { enabled: false },
    ...config,
    listen: { port: 0, adminPort: 0, ...config['listen'] },
  })
  const gateway = await Gateway.start({
    config: parseConfig(text, 'test', {
      vendors: vendorNames,
      builtIn: ['engine'],
      environment: {},
    }),
    discovered: [],
    database,
    surroundings,
    log,
    ...(admin !== undefined && { admin }),
    ...(lines !== undefined && { lines }),
  })
  const { key: secret } = await gateway.keys.issue({ name: 'test' })
  const url = `http://127.0.0.1:${gateway.port}`
  const key = secret.reveal()
  return {
    gateway,
    url,
    key,
    /** Sends a JSON body with the key and a version; a string goes as it is. */
    post: (path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...(path.includes('/messages') && { 'anthropic-version': '2023-06-01' }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}
