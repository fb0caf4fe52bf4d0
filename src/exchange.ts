import { estimateInput, roughInput } from '#chat/estimate-tokens.ts'
import type { MediaParts } from '#chat/media-parts.ts'
import type { ModelCard } from '#chat/model-card.ts'
import { type Note, Notes } from '#chat/note.ts'
import type { Passage } from '#chat/passage.ts'
import type { ChatRequest, RequestBody } from '#chat/request.ts'
import { noUsage } from '#chat/usage.ts'
import type { Witness } from '#chat/witness.ts'
import type { Attended, ContentLog } from '#content/content-log.ts'
import type { Keys } from '#keys/keys.ts'
import { type Asked, mayUse, mostTokens, permit, permitted } from '#keys/permit.ts'
import type { Caller } from '#keys/policy.ts'
import type { Ask, Limiter } from '#limits/limiter.ts'
import {
  decodeEmbeddingRequest,
  encodeEmbeddingReply,
} from '#protocols/chat-completions/embeddings.ts'
import { limitHeaders } from '#protocols/limit-headers.ts'
import { mediaPartsOf } from '#protocols/media-parts.ts'
import { encodeCount } from '#protocols/messages/count-tokens.ts'
import { decodeCountRequest } from '#protocols/messages/decode-request/decode-request.ts'
import type { Protocol } from '#protocols/protocol.ts'
import { type Chunk, tellReply, tellStream } from '#protocols/tell.ts'
import { mayRepeat, needsOf, prefixOf } from '#protocols/wishes.ts'
import type { Catalogue } from '#routing/catalogue.ts'
import type { Health } from '#routing/health.ts'
import type { Hedge } from '#routing/hedge.ts'
import {
  type Asking,
  firstOf,
  openFirst,
  type Opened,
  openWhole,
  unknownModel,
} from '#routing/open-first.ts'
import type { Order } from '#routing/order.ts'
import type { Router } from '#routing/router.ts'
import { Account, type AccountFacts, type Books } from '#usage/account.ts'

/** What an exchange passes through. */
export interface Parts extends Books {
  readonly keys: Pick<Keys, 'verify'>
  readonly limiter: Pick<Limiter, 'admit'>
  readonly router: Pick<Router, 'route' | 'targetNames'>
  readonly health: Health
  /** Puts questions that cost nothing to a second target. */
  readonly hedge: Hedge
  readonly catalogue: Pick<Catalogue, 'list' | 'find'>
  /** Refuse what a translation would have to adapt. */
  readonly strict: boolean
  /** Absent where nothing that is said can be kept. */
  readonly content?: Pick<ContentLog, 'attend'> | undefined
}

/** A request as HTTP brings it. Headers and body are asked for in their turn: a bad key is refused before its body is read. */
export interface Incoming extends Asked, Attended {
  readonly id: string
  readonly passage: Passage
  readonly protocol: Protocol
  /** Told whose it is. Throws `gateway-overloaded` for a key that has its share of what the gateway can carry. */
  readonly claim: (keyId: string) => void
  readonly credentials: readonly string[]
  readonly headers: () => ReadonlyMap<string, string>
  readonly body: () => Promise<RequestBody>
  readonly query: () => URLSearchParams
  /** Of a path that names a model; empty otherwise. */
  readonly modelId: string
  readonly signal: AbortSignal
  /** Unix milliseconds. */
  readonly startedAt: number
  /** When its time is over, when the caller stops waiting, and how often it has sent this before. */
  readonly patience: () => Pick<Asking, 'deadlineAt' | 'waitsUntil' | 'repeats'>
  /** Whether an answer of another model is better to the caller than none. */
  readonly acceptsRescue: () => boolean
  /** Whether the caller wants to know why it was this target that answered. */
  readonly wantsReason: () => boolean
}

interface OutgoingHead {
  readonly headers: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
}

export interface OutgoingReply extends OutgoingHead {
  readonly type: 'reply'
  readonly body: Chunk
}

export interface OutgoingStream extends OutgoingHead {
  readonly type: 'stream'
  readonly chunks: AsyncIterator<Chunk>
}

export type Outgoing = OutgoingReply | OutgoingStream

/** One request, one answer. Every chat in the product passes through these lines. */
async function chat(parts: Parts, incoming: Incoming): Promise<Outgoing> {
  const { protocol } = incoming
  const caller = callerOf(parts, incoming)
  const witness = witnessOf(parts, incoming, caller)
  const headers = incoming.headers()
  const asked = protocol.decodeRequest(await incoming.body(), headers)
  const scope = scopeOf(caller, asked)
  const route = await routeFor(parts, incoming, scope)
  const admission = parts.limiter.admit(caller, sizeOf(scope))
  const facts = factsOf(incoming, scope, route)
  const account = await Account.open(parts, admission, { ...facts, endpoint: 'chat', witness })
  const request = account.cap === undefined ? asked : { ...asked, cap: account.cap }
  const asking = askingOf(parts, incoming, { account, caller, body: asked.body })
  const tell = async ({ target, answer, release }: Opened): Promise<Outgoing> => {
    const { stream: isStream } = request
    incoming.passage.heard(answer.queuedMs)
    const cut = protocol.cutStream?.(request)
    const how = { untold: protocol.untold, release, cut, isWhole: !isStream }
    const metered = account.metered(answer, how)
    const listener = { protocol, request, target: target.model }
    account.note(asking.notes.list)
    const limits = limitHeaders(protocol.name, admission.limits())
    const told = [...(answer.headers ?? []), ...limits, ...reasonOf(incoming, route)]
    const head = headOf(target, asking.notes.list, told)
    if (isStream) return { type: 'stream', chunks: tellStream(metered, listener), ...head }
    const { body, notes } = await tellReply(metered, listener)
    return { type: 'reply', body, ...head, notes: [...head.notes, ...notes] }
  }
  if (request.stream) return tell(await account.during(openFirst(route.targets, request, asking)))
  return account.during(openWhole(route.targets, asking, { request, take: tell }))
}

/** Vectors for texts: an exchange without a stream, in the one protocol that has it. */
async function embed(parts: Parts, incoming: Incoming): Promise<Outgoing> {
  const caller = callerOf(parts, incoming)
  const witness = witnessOf(parts, incoming, caller)
  const body = await incoming.body()
  const request = decodeEmbeddingRequest(body)
  const scope = scopeOf(caller, { model: request.model, stream: false, body, maxTokens: 0 })
  const route = await routeFor(parts, incoming, scope)
  const admission = parts.limiter.admit(caller, sizeOf(scope))
  const facts = factsOf(incoming, scope, route)
  const account = await Account.open(parts, admission, {
    ...facts,
    endpoint: 'embeddings',
    witness,
  })
  const asking = askingOf(parts, incoming, { account, caller, body })
  const {
    target,
    value: reply,
    release,
  } = await account.during(
    firstOf(route.targets, asking, ({ upstream, model }) => upstream.embed(request, model, asking)),
  )
  release()
  incoming.passage.heard()
  witness?.vectors(reply.vectors)
  await account.complete(reply.usage)
  return {
    type: 'reply',
    body: encodeEmbeddingReply(reply, request.encoding),
    ...headOf(target, asking.notes.list, limitHeaders(incoming.protocol.name, admission.limits())),
  }
}

/** How many tokens a request has: the upstream's own count, or an estimate that says so. It costs nothing, so the ledger has no row of it. */
async function count(parts: Parts, incoming: Incoming): Promise<Outgoing> {
  const caller = callerOf(parts, incoming)
  const headers = incoming.headers()
  const request = decodeCountRequest(await incoming.body(), headers)
  const { targets } = await routeFor(parts, incoming, scopeOf(caller, request))
  const admission = parts.limiter.admit(caller, { input: 0, output: 0 })
  const asking = askingOf(parts, incoming, { caller, body: request.body })
  const hedged = { ...asking, newNotes: () => new Notes(parts.strict) }
  try {
    const { target, value, notes } = await parts.hedge.first(
      targets,
      hedged,
      ({ upstream, model }, one) => upstream.countTokens(request, model, one),
    )
    incoming.passage.heard()
    if (value === undefined) notes.add('input_tokens', 'estimated')
    return {
      type: 'reply',
      body: encodeCount(value ?? estimateInput(request.meaning())),
      ...headOf(target, notes.list, limitHeaders('messages', admission.limits())),
    }
  } finally {
    admission.settle(noUsage)
  }
}

async function listModels(parts: Parts, incoming: Incoming): Promise<Outgoing> {
  const caller = callerOf(parts, incoming)
  const cards = await parts.catalogue.list()
  return {
    type: 'reply',
    body: incoming.protocol.encodeModelList(
      cards.filter((card) => maySee(parts, caller, card)),
      incoming.query(),
    ),
    ...bareHead,
  }
}

async function showModel(parts: Parts, incoming: Incoming): Promise<Outgoing> {
  const caller = callerOf(parts, incoming)
  const card = await parts.catalogue.find(incoming.modelId)
  if (card === undefined || !maySee(parts, caller, card)) throw unknownModel(incoming.modelId)
  return { type: 'reply', body: incoming.protocol.encodeModel(card), ...bareHead }
}

/** What can be asked of the gateway, by the word that a route has for it. */
export const jobs = {
  chat,
  embed,
  count,
  'list-models': listModels,
  'show-model': showModel,
} as const

export type Job = keyof typeof jobs

type Sized = Pick<ChatRequest, 'model' | 'body'> &
  Partial<Pick<ChatRequest, 'stream' | 'maxTokens' | 'choices'>>

/** Who asks for how much: what routing, limits and the account go by. */
interface Scope {
  readonly caller: Caller
  readonly asked: Sized
  /** What of the body is no text. */
  readonly media: MediaParts
  /** The most output tokens of one answer that the caller may have. */
  readonly limit: number | undefined
}

function scopeOf(caller: Caller, asked: Sized): Scope {
  return { caller, asked, media: mediaPartsOf(asked.body.value), limit: mostTokens(caller) }
}

/** Who calls, if the key is good and may be used for this from there. */
function callerOf({ keys }: Parts, incoming: Incoming): Caller {
  const caller = keys.verify(incoming.credentials, incoming.address)
  incoming.claim(caller.keyId)
  permit(caller, incoming)
  return caller
}

/** Somebody to keep what is said, where that is allowed and the caller does not refuse it. */
function witnessOf({ content }: Parts, incoming: Incoming, caller: Caller): Witness | undefined {
  return caller.keepsContent ? content?.attend(incoming) : undefined
}

/** Whom to ask, best first, of those that the caller may use. */
async function routeFor(
  { router }: Parts,
  incoming: Pick<Incoming, 'acceptsRescue'>,
  { caller, asked: { model, body }, media }: Scope,
): Promise<Order> {
  const { targets, reason } = await router.route(model, {
    acceptsRescue: incoming.acceptsRescue,
    leastInput: Math.floor(body.text.length / mostLettersPerToken),
    needs: () => needsOf(body, media),
    prefix: () => prefixOf(body),
  })
  return { targets: permitted(caller, model, targets), reason }
}

/** Longer tokens are rare: a text has at least a token for so many letters. */
const mostLettersPerToken = 8

/** What the request takes of the caller's rates, before anybody has counted. */
function sizeOf({ asked: { body, maxTokens, choices = 1 }, media, limit }: Scope): Ask {
  const output = Math.min(maxTokens ?? Infinity, limit ?? Infinity) * choices
  return { input: roughInput(body.text, media), output }
}

function factsOf(
  { id, protocol, passage, startedAt }: Incoming,
  { caller, asked, media, limit }: Scope,
  route: Order,
): Omit<AccountFacts, 'endpoint'> {
  const { model, stream = false, body, maxTokens, choices } = asked
  const { keyId, projectId } = caller
  return {
    id,
    keyId,
    projectId,
    protocol: protocol.name,
    startedAt,
    model,
    stream,
    body,
    media,
    maxTokens,
    choices,
    limit,
    targets: route.targets,
    route: route.reason,
    observer: passage,
  }
}

interface Asker {
  readonly account?: Account
  readonly caller: Caller
  readonly body: RequestBody
}

function askingOf(
  { strict, health }: Parts,
  { signal, patience, passage }: Incoming,
  { account, caller, body }: Asker,
): Asking {
  return {
    signal,
    health,
    notes: new Notes(strict),
    keyId: caller.keyId,
    ...patience(),
    isRepeatable: mayRepeat(body),
    onAttempt: (target, attempt) => {
      passage.begins(attempt)
      account?.onAttempt(target, attempt)
    },
    onSend: () => passage.sends(),
    ...(account !== undefined && { onFailure: account.onFailure }),
  }
}

function maySee({ router }: Parts, caller: Caller, { id, upstream }: ModelCard): boolean {
  return mayUse(caller, id, router.targetNames(id) ?? [`${upstream}/${id}`])
}

function reasonOf({ wantsReason }: Incoming, { reason }: Order): [string, string][] {
  return wantsReason() ? [['x-parley-route', reason]] : []
}

const bareHead: OutgoingHead = { headers: new Map(), notes: [] }

/** What a caller is told beside the answer: who gave it, what was adapted, and what the upstream said of itself. */
function headOf(
  { model, isRescue }: Opened['target'],
  notes: readonly Note[],
  told: Iterable<readonly [string, string]>,
): OutgoingHead {
  const name = `${model.upstream}/${model.model}`
  const headers = new Map([...told, ['x-parley-target', name]])
  if (isRescue === true) headers.set('x-parley-rescue', name)
  return { headers, notes }
}
