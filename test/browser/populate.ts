import type { AdminClient } from './admin-client.ts'
import type { Things } from './console-pages.ts'
import type { ConsoleRig } from './console-rig.ts'
import type { TalkingUpstream } from './talking-upstream.ts'

/** A gateway in use: what every page needs to have something to show. */
export interface Populated {
  /** Something for each page that is about one thing. */
  readonly things: Things
  readonly projectId: string
  readonly keyId: string
  readonly key: string
}

/** The config of a gateway in front of a talking upstream, whose answers cost something. */
export function talkingConfig({ url }: TalkingUpstream, more: object = {}): string {
  return JSON.stringify({
    upstreams: { vendor: { protocol: 'chat-completions', url } },
    models: { fast: { targets: ['vendor/model-a', 'vendor/model-b'] } },
    // 400 tokens in and 400 out make one cent.
    prices: { 'vendor/*': { input: 5, output: 20 } },
    ...more,
  })
}

/** Makes a project, keys of every kind, budgets, and exchanges that went well and that did not. */
export async function populate(rig: ConsoleRig, admin: AdminClient): Promise<Populated> {
  const project = await admin.ask('POST', '/api/projects', {
    name: 'shop',
    policy: { models: ['fast', 'vendor/*'], tags: { team: 'web' } },
  })
  const { id, key } = await admin.ask('POST', '/api/keys', {
    name: 'till',
    projectId: project.id,
    owner: 'ada',
    policy: { rates: { requestsPerMinute: 1000 }, concurrency: 8 },
    budgets: [{ amount: 1_000_000, period: 'month' }],
  })
  const order = { name: 'nightly reports', expiresAt: Date.now() + 86_400_000 }
  await admin.ask('POST', '/api/keys', order)
  const old = await admin.ask('POST', '/api/keys', { name: 'old laptop' })
  await admin.ask('POST', `/api/keys/${old.id}/revoke`, {})
  await admin.ask('PUT', '/api/budgets/org/month', { amount: 50_000_000 })
  for (const model of ['fast', 'fast', 'vendor/model-b', 'vendor/failing'])
    await askModel(rig, { key, model })
  const { userId } = await admin.ask('GET', '/api/me')
  const { exchanges } = await admin.ask('GET', '/api/exchanges?limit=4')
  const things = { projects: project.id, keys: id, users: userId, exchanges: exchanges[0].id }
  return { things, projectId: project.id, keyId: id, key }
}

interface Question {
  readonly key: string
  readonly model: string
}

/** One chat through the gateway; gives the status. */
export async function askModel(rig: ConsoleRig, { key, model }: Question): Promise<number> {
  const response = await fetch(`${rig.serving.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 600, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await response.text()
  return response.status
}
