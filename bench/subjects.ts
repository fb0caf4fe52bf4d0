import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ended, firstLine, type Running } from './process.ts'

/** One thing that is measured: how to start it in front of the mock upstream, and what a caller must send it. */
export interface Subject {
  readonly name: string
  readonly role: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined if it can be started; otherwise why not. */
  readonly missing: () => string | undefined
  readonly start: (upstream: string) => Promise<Running>
}

const json = { 'content-type': 'application/json' }
const key = 'bench key'

export const subjects: readonly Subject[] = [
  {
    name: 'nginx',
    role: 'the limit',
    headers: { ...json, authorization: 'Bearer bench' },
    missing: () => (Bun.which('nginx') === null ? 'nginx is not installed' : undefined),
    start: startNginx,
  },
  {
    name: 'bare proxy',
    role: 'the floor',
    headers: { ...json, authorization: 'Bearer bench' },
    missing: () => undefined,
    start: startBare,
  },
  {
    name: 'parley',
    role: 'this gateway',
    headers: { ...json, authorization: `Bearer ${key}` },
    missing: () => undefined,
    start: startParley,
  },
  {
    name: 'portkey',
    role: 'the best-known gateway in TypeScript',
    headers: { ...json, authorization: 'Bearer bench', 'x-portkey-provider': 'openai' },
    missing: () =>
      existsSync('node_modules/@portkey-ai/gateway/build/start-server.js')
        ? undefined
        : '@portkey-ai/gateway is not installed (npm install --no-save @portkey-ai/gateway)',
    start: startPortkey,
  },
]

async function startNginx(upstream: string): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-nginx-'))
  const port = freePort()
  writeFileSync(
    join(home, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${home}/pid; error_log ${home}/error.log;
events { worker_connections 8192; }
http {
  access_log off; client_body_temp_path ${home}; proxy_temp_path ${home};
  fastcgi_temp_path ${home}; uwsgi_temp_path ${home}; scgi_temp_path ${home};
  upstream mock { server ${upstream.replace('http://', '')}; keepalive 256; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://mock; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }
  }
}`,
  )
  const started = performance.now()
  const child = Bun.spawn(['nginx', '-c', join(home, 'nginx.conf')], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return running(child, {
    port,
    started,
    headers: json,
    cleanUp: () => rmSync(home, { recursive: true, force: true }),
  })
}

async function startBare(upstream: string): Promise<Running> {
  const started = performance.now()
  const child = Bun.spawn(['bin/parley-bun', 'bench/bare-proxy.ts'], {
    env: { ...process.env, BENCH_UPSTREAM: upstream },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return running(child, { port: Number(await firstLine(child)), started, headers: json })
}

async function startParley(upstream: string): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const config = join(home, 'parley.yaml')
  writeFileSync(
    config,
    `upstreams:\n  mock: { protocol: chat-completions, url: "${upstream}/v1" }\n`,
  )
  const env = { ...process.env, PARLEY_HOME: home, PARLEY_ADMIN_PORT: '0' }
  const issued = Bun.spawnSync(['bin/parley', 'keys', 'create', '--name', 'bench', '--key', key], {
    env,
  })
  if (issued.exitCode !== 0) throw new Error(`No key could be issued: ${issued.stderr.toString()}`)
  const port = freePort()
  const started = performance.now()
  const child = Bun.spawn(['bin/parley', 'serve', '--config', config, '--port', String(port)], {
    env,
    stdout: 'ignore',
    // Where most logs go; nobody wants to read a line for each of these requests.
    stderr: Bun.file(join(home, 'log')),
  })
  const headers = { ...json, authorization: `Bearer ${key}` }
  return running(child, {
    port,
    started,
    headers,
    cleanUp: () => rmSync(home, { recursive: true, force: true }),
  })
}

async function startPortkey(upstream: string): Promise<Running> {
  const port = freePort()
  const started = performance.now()
  const child = Bun.spawn(
    [
      'node',
      'node_modules/@portkey-ai/gateway/build/start-server.js',
      `--port=${port}`,
      '--headless',
    ],
    {
      stdout: 'ignore',
      stderr: 'ignore',
      env: { ...process.env, TRUSTED_CUSTOM_HOSTS: new URL(upstream).hostname },
    },
  )
  const headers = {
    ...json,
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${upstream}/v1`,
  }
  return running(child, { port, started, headers })
}

interface Start {
  readonly port: number
  readonly started: number
  readonly headers: Readonly<Record<string, string>>
  readonly cleanUp?: () => void
}

/** Waits for the first good reply, which is also how long the start took. */
async function running(child: Bun.Subprocess, start: Start): Promise<Running> {
  const url = `http://127.0.0.1:${start.port}`
  const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'hi' }] })
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: start.headers,
      body,
    }).catch(() => undefined)
    if (answer?.status === 200) break
    if (attempt > 400)
      throw new Error(`${url} does not answer: ${answer?.status} ${await answer?.text()}`)
    await Bun.sleep(10)
  }
  const stop = async (): Promise<void> => {
    await ended(child)
    start.cleanUp?.()
  }
  return { pid: child.pid, url, startMs: performance.now() - start.started, stop }
}

function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const { port } = server
  server.stop(true)
  return port
}
