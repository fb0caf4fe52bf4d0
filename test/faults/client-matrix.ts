import type { LedgerRow } from '#storage/schema.ts'
import {
  type Act,
  chunk,
  head,
  type RecordedRequest,
  type Script,
  sse,
  stall,
  startScriptedUpstream,
  waitFor,
  write,
} from '#test/scripted-upstream.ts'

import { goodAnswer, wholeText } from './answers.ts'
import {
  type Behaviour,
  type ClientFault,
  type ClientVariant,
  clientVariantsOf,
  dueOf,
  kitFor,
} from './client-fault.ts'
import { type Heard, responseIn, responsesIn, speakRaw } from './raw-client.ts'
import { eachOf, type Rig, startRig, upstreamAt } from './rig.ts'
import { type Seen, seenIn } from './seen.ts'
import { type Serving, servingOf } from './upstream-fault.ts'
import type { Report } from './upstream-matrix.ts'

export interface ClientMatrixOptions {
  readonly faults: readonly ClientFault[]
  readonly patienceMs: number
  readonly controlMs: number
  readonly memoryMiB: number
  readonly atOnce?: number
  readonly variants?: (fault: ClientFault) => readonly ClientVariant[]
}

interface Case {
  readonly fault: ClientFault
  readonly variant: ClientVariant
  readonly model: string
}

/** Small, so that bodies at the limit are quickly made. */
const bodyLimit = 200_000

/** How much longer than its due a row may take on a machine that does other things. */
const slackMs = 3000

/** Lets every fault happen in every variant, each with a model and at most one ledger row of its own. */
export async function runClientMatrix(options: ClientMatrixOptions): Promise<Report> {
  await using stage = await setStage(options)
  const { rig, upstream } = stage
  const { variants = clientVariantsOf } = options
  const cases = options.faults.flatMap((fault) =>
    variants(fault).map((variant) => ({ fault, variant, model: modelOf(fault, variant) })),
  )
  const violations: string[] = []
  await eachOf(cases, options.atOnce ?? 24, async (one) => {
    const found = await runCase(stage, one)
    const slow = await rig.oracle.control(options.controlMs)
    violations.push(...[...found, ...slow].map((words) => `${one.model}: ${words}`))
  })
  violations.push(
    ...(await rig.oracle.comesToRest(
      `${upstream.busy} upstream requests are open`,
      () => upstream.busy === 0,
    )),
    ...(await rig.oracle.control(options.controlMs)),
    ...(await rig.oracle.atRest(options.memoryMiB)),
    ...wrongLines(rig.log()),
  )
  const kinds = Map.groupBy(options.faults, ({ kind }) => kind)
  return {
    rows: options.faults.length,
    exchanges: cases.length,
    kinds: new Map([...kinds].map(([kind, rows]) => [kind, rows.length])),
    violations,
    slowestControlMs: rig.oracle.slowestControlMs,
    growthMiB: rig.oracle.growthMiB,
  }
}

interface Stage extends AsyncDisposable {
  readonly rig: Rig
  readonly upstream: Awaited<ReturnType<typeof startScriptedUpstream>>
  readonly otherKey: string
  /** How often the upstream was asked for a model. */
  readonly hitsOf: (model: string) => number
  readonly askedFor: (model: string) => Promise<RecordedRequest>
}

async function setStage({ faults, patienceMs }: ClientMatrixOptions): Promise<Stage> {
  await using owned = new AsyncDisposableStack()
  const behaviours = new Map<string, Behaviour>()
  const models: Record<string, object> = {}
  for (const fault of faults)
    for (const variant of clientVariantsOf(fault)) {
      const model = modelOf(fault, variant)
      behaviours.set(model, fault.upstream ?? 'good')
      for (const name of [model, poisonOf(model)])
        models[name] = { targets: [`${variant.caller === 'messages' ? 'up-m' : 'up-c'}/${name}`] }
    }
  const hits = new Map<string, number>()
  const asked: Asked = new Map()
  const upstream = owned.use(
    await startScriptedUpstream((request) => {
      const { model } = request.json() as { readonly model: string }
      hits.set(model, (hits.get(model) ?? 0) + 1)
      waiting(asked, model).resolve(request)
      return scripts[behaviours.get(model) ?? 'good'](servingOf(request))
    }),
  )
  const upstreams = {
    'up-c': upstreamAt('chat-completions', upstream.origin),
    'up-m': upstreamAt('messages', upstream.origin),
  }
  const limits = { body: bodyLimit }
  const rig = owned.use(await startRig({ config: { upstreams, models, limits }, patienceMs }))
  const { key: other } = await rig.gateway.gateway.keys.issue({ name: 'other' })
  const moved = owned.move()
  return {
    rig,
    upstream,
    otherKey: other.reveal(),
    hitsOf: (model) => hits.get(model) ?? 0,
    askedFor: (model) => waiting(asked, model).promise,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

type Asked = Map<string, PromiseWithResolvers<RecordedRequest>>

function waiting(asked: Asked, model: string): PromiseWithResolvers<RecordedRequest> {
  const known = asked.get(model) ?? Promise.withResolvers<RecordedRequest>()
  asked.set(model, known)
  return known
}

const scripts: Readonly<Record<Behaviour, (serving: Serving) => Script | AsyncIterable<Act>>> = {
  good: ({ protocol, isStream }) => goodAnswer(protocol, isStream),
  slow: slowly,
  silent: () => [stall],
  endless: (serving) => words(serving, 1, 5),
  pouring: (serving) => words(serving, 2000, 0),
  unended: ({ frames }) => sse(frames.slice(0, -1), { ending: [stall] }),
}

/** The good answer in pieces, with pauses that a client can do something in. */
async function* slowly({ protocol, isStream, frames }: Serving): AsyncGenerator<Act> {
  if (!isStream) {
    yield waitFor(Bun.sleep(120))
    yield* goodAnswer(protocol, false)
    return
  }
  yield* sse(frames.slice(0, 3), { ending: [] })
  for (const frame of frames.slice(3)) {
    yield waitFor(Bun.sleep(20))
    yield write(chunk(frame))
  }
  yield write('0\r\n\r\n')
}

/** A stream of words that has no end, so many of them in a piece. */
async function* words(
  { protocol, frames }: Serving,
  count: number,
  pauseMs: number,
): AsyncGenerator<Act> {
  yield write(head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }))
  const beginning = protocol === 'messages' ? frames.slice(0, 2) : frames.slice(0, 1)
  yield write(chunk(beginning.join('')))
  const word = (protocol === 'messages' ? frames[2] : frames[1])?.replace('Alpha ', 'word ') ?? ''
  const piece = chunk(word.repeat(count))
  for (;;) {
    yield write(piece)
    yield waitFor(Bun.sleep(pauseMs))
  }
}

async function runCase(stage: Stage, { fault, variant, model }: Case): Promise<string[]> {
  const { rig, otherKey, askedFor } = stage
  const poisonModel = poisonOf(model)
  const kit = kitFor(variant, {
    key: rig.gateway.key,
    otherKey,
    model,
    poisonModel,
    bodyLimit,
    asked: () => askedFor(model),
    released: () => askedFor(model).then(({ closed }) => closed),
  })
  const due = dueOf(fault, variant)
  const count = due.status?.length ?? 1
  const { patienceMs = 6000 } = fault
  const heard = await speakRaw(rig.port, fault.steps(kit), {
    patienceMs,
    ...(fault.kind === 'credentials' && { from: addressOf(model) }),
    isEnough: (bytes) => fault.kind !== 'smuggling' && hasAll(bytes, count),
  })
  const seen = seenIn(heard.bytes, variant.caller)
  const rows = await rig.oracle.rowsOf(model)
  const isOne = fault.kind !== 'pipelining'
  // Not everything that a smuggler asks for is a chat.
  const isJudged = fault.kind !== 'smuggling'
  const isAdmitted = admission(due.row)
  const known = isOne
    ? await rig.oracle.exchange(model, isJudged ? seen : { ...seen, ending: 'nothing' }, isAdmitted)
    : { violations: [] }
  const special = fault.inspect?.(heard, kit)
  const hidden = await rig.oracle.rowsOf(poisonModel)
  return [
    ...known.violations,
    ...rig.oracle.secretsIn('the answer', heard.bytes),
    ...wrongWith({ due, heard, seen, rows, stage, model }),
    ...(hidden.length > 0 || stage.hitsOf(poisonModel) > 0
      ? ['the hidden request was carried out']
      : []),
    ...(special === undefined ? [] : [special]),
  ]
}

function admission(row: readonly string[] | undefined): 'yes' | 'no' | 'maybe' {
  if (row === undefined || (row.includes('none') && row.length > 1)) return 'maybe'
  return row.includes('none') ? 'no' : 'yes'
}

/** Whether every answer that is due has come. A HEAD has no body, and is left to its patience. */
function hasAll(bytes: Buffer, count: number): boolean {
  if (count === 0) return false
  if (count === 1) return responseIn(bytes)?.isWhole === true
  const all = responsesIn(bytes)
  return all.length >= count && all.every(({ isWhole }) => isWhole)
}

interface Outcome {
  readonly due: ReturnType<typeof dueOf>
  readonly heard: Heard
  readonly seen: Seen
  readonly rows: readonly LedgerRow[]
  readonly stage: Stage
  readonly model: string
}

function wrongWith({ due, heard, seen, rows, stage, model }: Outcome): string[] {
  const wrong: string[] = []
  const statuses = responsesIn(heard.bytes).map(({ status }) => status)
  if (due.status !== undefined && !areDue(statuses, due.status)) {
    wrong.push(
      `expected ${JSON.stringify(due.status)}, got ${JSON.stringify(statuses)} (${heard.endedBy}) ${seen.message.slice(0, 60)}`,
    )
  }
  if (due.isWhole === true && (seen.ending !== 'whole' || seen.text !== wholeText))
    wrong.push(
      `expected the whole answer, was ${seen.ending} ${seen.status} ${seen.message.slice(0, 80)} (${heard.endedBy})`,
    )
  const results = rows.length === 0 ? ['none'] : rows.map(({ result }) => result)
  const strange = results.filter((result) => due.row?.includes(result) === false)
  if (strange.length > 0)
    wrong.push(`expected the row ${due.row?.join(' or ')}, is ${strange.join()}`)
  const hits = stage.hitsOf(model)
  if (typeof due.hits === 'number' && hits !== due.hits)
    wrong.push(`the upstream was asked ${hits} times, not ${due.hits}`)
  if (due.output !== undefined && (rows[0]?.output ?? 0) < due.output)
    wrong.push(`its row has ${rows[0]?.output} output tokens`)
  if (due.input !== undefined && (rows[0]?.input ?? 0) < due.input)
    wrong.push(`its row has ${rows[0]?.input} input tokens`)
  if (due.endedBy !== undefined && !due.endedBy.includes(heard.endedBy))
    wrong.push(`was ended by ${heard.endedBy}`)
  if (due.within !== undefined && heard.tookMs > due.within + slackMs)
    wrong.push(`took ${Math.round(heard.tookMs)} ms`)
  return wrong
}

/** Statuses as they are due; a connection that was closed without a word says as much as a refusal. */
function areDue(got: readonly number[], due: readonly (number | readonly number[])[]): boolean {
  if (got.length === 0) return due.length === 0 || due.some((one) => isRefusal(one))
  return (
    got.length === due.length &&
    got.every((status, index) => [due[index] ?? 0].flat().includes(status))
  )
}

function isRefusal(status: number | readonly number[]): boolean {
  return [status].flat().every((one) => one >= 400)
}

/** Every line of a log is one JSON object, whatever was asked for. */
function wrongLines(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '')
  const bad = lines.filter((line) => {
    try {
      return typeof JSON.parse(line) !== 'object' || /[\u0000-\u001f]/.test(line)
    } catch {
      return true
    }
  })
  return bad.length === 0
    ? []
    : [`${bad.length} lines of the log are no JSON: ${bad[0]?.slice(0, 100)}`]
}

function modelOf({ name }: ClientFault, { caller, isStream }: ClientVariant): string {
  return `${name}:${caller[0]}${isStream ? 's' : 'r'}`
}

/** An address of loopback of its own: who shows wrong keys is soon not listened to. */
function addressOf(model: string): string {
  const [a = 1, b = 1] = new Bun.CryptoHasher('sha1').update(model).digest()
  return `127.1.${a}.${b === 0 ? 1 : b}`
}

function poisonOf(model: string): string {
  return `poison-${model}`
}
