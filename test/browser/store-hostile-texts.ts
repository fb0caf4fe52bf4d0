import type { AdminClient } from './admin-client.ts'
import { password } from './console-rig.ts'
import { hostileTexts } from './hostile-texts.ts'

export interface Store {
  readonly admin: AdminClient
  /** Where callers ask, and a key to ask with. */
  readonly url: string
  readonly key: string
}

/** How often each text was taken, by its number. */
export type Taken = Map<number, number>

/** Puts every hostile text in as many fields as take it: all that callers and operators may write. */
export async function storeHostileTexts(store: Store): Promise<Taken> {
  const taken: Taken = new Map(hostileTexts.map((_, at) => [at, 0]))
  await contentKept(store, taken)
  await inTurn(hostileTexts.length / 2, (at) => oneKey(store, taken, 2 * at))
  await inTurn(hostileTexts.length, (at) => oneExchange(store, taken, at))
  await inTurn(40, (at) => oneProject(store, taken, at * 7))
  await inTurn(2, (at) => oneSession(store, taken, at * 50))
  await inTurn(2, (at) => oneRefusedSignIn(store, taken, at * 40 + 5))
  await corrected(store, taken)
  return taken
}

/** From here on what is said is kept too. */
async function contentKept({ admin, key }: Store, taken: Taken): Promise<void> {
  const change = { name: readable(211), policy: { contentLogging: true } }
  await admin.ask('PATCH', '/api/organisation', change)
  count(taken, [211])
  const { keys } = await admin.ask('GET', '/api/keys')
  const { name } = keys[0]
  await admin.ask('PATCH', `/api/keys/${keys[0].id}`, { policy: { contentLogging: true } })
  if (key === '' || name !== 'first') throw new Error('The first key is not the one to ask with.')
}

async function oneKey({ admin }: Store, taken: Taken, at: number): Promise<void> {
  const texts = [at, at + 51, at + 100, at + 151]
  const [name = '', owner = '', tag = '', glob = ''] = texts.map(readable)
  const policy = { tags: { team: tag, cost: owner }, models: [globOf(glob), '*'] }
  const response = await admin.send('POST', '/api/keys', { name, owner, policy })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  count(taken, texts)
}

/** Asks with a model of that name, in both protocols, as a client of that name. */
async function oneExchange({ url, key }: Store, taken: Taken, at: number): Promise<void> {
  const isMessages = at % 2 === 1
  const text = textAt(at)
  const response = await fetch(`${url}/v1/${isMessages ? 'messages' : 'chat/completions'}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'user-agent': text.replace(/[^\u0020-\u007E]/g, ' '),
    },
    body: JSON.stringify({
      model: `hostile/${text}`,
      max_tokens: 20,
      messages: [{ role: 'user', content: text }],
      ...(isMessages && { [textAt(at + 9)]: textAt(at + 10) }),
    }),
  })
  await response.text()
  if (response.ok || response.status === 400) count(taken, [at, at + 1])
}

async function oneProject({ admin }: Store, taken: Taken, at: number): Promise<void> {
  await admin.ask('POST', '/api/projects', {
    name: readable(at),
    policy: { tags: { team: readable(at + 1) } },
  })
  count(taken, [at, at + 1])
}

/** A session keeps what the browser says it is. */
async function oneSession({ admin }: Store, taken: Taken, at: number): Promise<void> {
  const agent = textAt(at).replace(/[^\u0020-\u007E]/g, ' ')
  const order = { name: 'ada', password }
  const response = await admin.apart('POST', '/api/login', order, { 'user-agent': agent })
  if (response.ok) count(taken, [at])
}

/** The audit log keeps the name that was tried. */
async function oneRefusedSignIn({ admin }: Store, taken: Taken, at: number): Promise<void> {
  const name = textAt(at)
  await admin.apart('POST', '/api/login', { name, password: 'wrong' })
  count(taken, [at])
}

async function corrected({ admin }: Store, taken: Taken): Promise<void> {
  const { exchanges } = await admin.ask('GET', '/api/exchanges?limit=20')
  await inTurn(exchanges.length, async (at) => {
    const change = { cost: at + 1, reason: textAt(at * 13) }
    await admin.ask('POST', `/api/exchanges/${exchanges[at].id}/corrections`, change)
    count(taken, [at * 13])
  })
}

function textAt(at: number): string {
  return hostileTexts[at % hostileTexts.length] ?? ''
}

/** Names have no control characters in them; the rest of the text is hostile all the same. */
function readable(at: number): string {
  return textAt(at).replace(/\p{C}/gu, ' ')
}

/** Globs have no blanks in them, and no letters but those of English. */
function globOf(text: string): string {
  return text.replace(/[^\u0021-\u007E]/g, '/')
}

function count(taken: Taken, texts: readonly number[]): void {
  for (const text of texts) {
    const at = text % hostileTexts.length
    taken.set(at, (taken.get(at) ?? 0) + 1)
  }
}

/** Does something so many times, eight at once. */
async function inTurn(times: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < times) await work(next++)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
