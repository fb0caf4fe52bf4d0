import type { ErrorCode } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'
import type { LedgerRow } from '#storage/schema.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '#test/scripted-upstream.ts'

import { counts, wholeText } from './answers.ts'
import { blackHole, closedPort, type Listener, listen } from './listeners.ts'
import { ask, eachOf, goodNames, type Rig, startRig, upstreamAt } from './rig.ts'
import { type Seen, told } from './seen.ts'
import { canaryPath } from './status-faults.ts'
import {
  expectationOf,
  mendable,
  type Places,
  repeatable,
  type Sees,
  servingOf,
  type UpstreamFault,
  type Variant,
  variantsOf,
} from './upstream-fault.ts'

export interface Report {
  readonly rows: number
  readonly exchanges: number
  /** By kind. */
  readonly kinds: ReadonlyMap<string, number>
  readonly violations: readonly string[]
  /** What is wrong and known to be. */
  readonly known?: readonly string[]
  readonly slowestControlMs: number
  readonly growthMiB: number
}

export interface StageOptions {
  readonly faults: readonly UpstreamFault[]
  readonly patienceMs: number
  readonly variants?: (fault: UpstreamFault) => readonly Variant[]
}

export interface MatrixOptions extends StageOptions {
  readonly controlMs: number
  readonly memoryMiB: number
}

export interface Case {
  readonly fault: UpstreamFault
  readonly variant: Variant
  readonly model: string
  readonly server: ScriptedUpstream | undefined
}

/** Lets every fault happen in every variant, each with an upstream, a model and a ledger row of its own. */
export async function runUpstreamMatrix(options: MatrixOptions): Promise<Report> {
  await using stage = await setStage(options)
  const { rig, cases } = stage
  const violations: string[] = []
  const known: string[] = []
  const act = async (one: Case): Promise<void> => {
    const found = await runCase(rig, one)
    const slow = await rig.oracle.control(options.controlMs)
    const list = one.fault.known === undefined ? violations : known
    list.push(...[...found, ...slow].map((words) => `${one.model}: ${words}`))
  }
  // Those that are much work for whoever plays the upstream would only measure it, if many of them came at once.
  const [heavy, light] = [cases.filter(isHeavy), cases.filter((one) => !isHeavy(one))]
  await eachOf(light, 24, act)
  await eachOf(heavy, 2, act)
  for (const { fault, server } of stage.servers) {
    const busy = await rig.oracle.comesToRest(
      `${server.busy} upstream requests are open`,
      () => server.busy === 0,
    )
    violations.push(...busy.map((words) => `${fault.name}: ${words}`))
    if (server.requests.some(({ path }) => path.startsWith(canaryPath)))
      violations.push(`${fault.name}: a redirect was followed`)
  }
  violations.push(...(await rig.oracle.control(options.controlMs)))
  violations.push(...(await rig.oracle.atRest(options.memoryMiB)))
  const kinds = Map.groupBy(options.faults, ({ kind }) => kind)
  return {
    rows: options.faults.length,
    exchanges: cases.length,
    kinds: new Map([...kinds].map(([kind, rows]) => [kind, rows.length])),
    violations,
    known,
    slowestControlMs: rig.oracle.slowestControlMs,
    growthMiB: rig.oracle.growthMiB,
  }
}

function isHeavy({ fault }: Case): boolean {
  return fault.kind === 'giant' || fault.kind === 'too-large' || fault.name === 'packed-bomb'
}

/** One exchange: what the caller saw and what was written down of it, against what the row expects. */
async function runCase(rig: Rig, { fault, variant, model }: Case): Promise<string[]> {
  const { caller, isStream } = variant
  const seen = await ask(rig.port, { key: rig.gateway.key, protocol: caller, model, isStream })
  const { violations, row } = await rig.oracle.exchange(model, seen)
  const leaks = rig.oracle.secretsIn('the answer', seen.response?.head ?? '')
  const inBody = rig.oracle.secretsIn('the answer', seen.response?.body ?? '')
  const special = fault.inspect?.(seen, variant)
  return [
    ...violations,
    ...leaks,
    ...inBody,
    ...wrongIn({ fault, variant, seen, row }),
    ...(special === undefined ? [] : [special]),
  ]
}

/** Whether the second target answers in the place of the first. */
function isMended(sees: Sees, { hasNext }: Variant): boolean {
  return hasNext && typeof sees === 'string' && mendable.has(sees)
}

/** What is wrong, if none of what may be is so. */
function wrongIn(outcome: Outcome): string[] {
  const allowed = possibilities(expectationOf(outcome.fault, outcome.variant))
  const wrongs = allowed.map((sees) => wrongAs(sees, outcome))
  return wrongs.find((wrong) => wrong.length === 0) ?? wrongs[0] ?? []
}

interface Outcome {
  readonly fault: UpstreamFault
  readonly variant: Variant
  readonly seen: Seen
  readonly row: LedgerRow | undefined
}

function possibilities(sees: Sees): readonly Sees[] {
  return typeof sees === 'object' && 'either' in sees ? sees.either : [sees]
}

function wrongAs(sees: Sees, { fault, variant, seen, row }: Outcome): string[] {
  const ending = wrongEnding(sees, { fault, variant, seen, row })
  return row === undefined ? ending : [...ending, ...wrongRow(sees, { fault, variant, seen, row })]
}

function wrongEnding(sees: Sees, { fault, variant, seen }: Outcome): string[] {
  const was = `${seen.ending} ${seen.status} ${seen.error ?? ''} ${seen.message.slice(0, 80)}`
  if (sees === 'garbled') return seen.ending === 'garbled' ? [] : [`expected garbled, was ${was}`]
  if (sees === 'whole' || isMended(sees, variant)) {
    const text = sees === 'whole' ? (fault.text ?? wholeText) : wholeText
    if (seen.ending !== 'whole') return [`expected the whole answer, was ${was}`]
    return seen.text === text ? [] : [`expected the whole text, was ${JSON.stringify(seen.text)}`]
  }
  const code = codeOf(sees)
  const ending = typeof sees === 'object' && 'broken' in sees ? 'broken' : 'refused'
  const [status, word] = told[variant.caller][code] ?? []
  // What the caller is to act upon keeps the status, and in its own protocol the words, that the upstream gave it.
  const isKept = code === 'upstream-refused' || seen.status === 402
  const isRelayed = isKept || (variant.caller === variant.upstream && seen.status === 404)
  const isRight =
    seen.ending === ending &&
    (isRelayed || seen.error === word) &&
    (isRelayed || seen.status === (ending === 'broken' ? 200 : status))
  return isRight ? [] : [`expected ${ending} ${code}, was ${was}`]
}

function codeOf(sees: Sees): ErrorCode {
  if (typeof sees === 'object' && 'broken' in sees) return sees.broken
  return sees as ErrorCode
}

function wrongRow(sees: Sees, outcome: Outcome & { readonly row: LedgerRow }): string[] {
  const { variant, row } = outcome
  if (sees === 'garbled') return []
  const mended = isMended(sees, variant)
  const code = sees === 'whole' || mended ? 'complete' : codeOf(sees)
  const wrong: string[] = []
  const isTooLarge = code === 'upstream-refused' && row.result === 'body-too-large'
  if (row.result !== code && !isTooLarge) wrong.push(`expected the row ${code}, is ${row.result}`)
  if (mended && row.target?.startsWith('good-') !== true)
    wrong.push(`was answered by ${row.target}`)
  const most = mended || (typeof sees === 'string' && repeatable.has(sees)) ? 2 : 1
  if (row.attempts > most || (mended && row.attempts !== 2))
    wrong.push(`took ${row.attempts} attempts`)
  if (mended && firstResult(row) !== sees)
    wrong.push(`its first target is said to be ${firstResult(row)}`)
  return [...wrong, ...wrongUsage(sees, outcome, mended)]
}

function wrongUsage(
  sees: Sees,
  { fault, variant, row }: Outcome & { readonly row: LedgerRow },
  mended: boolean,
): string[] {
  const { counted, input, output } = row
  const said = `${counted} ${input}+${output}`
  const inRange = [input ?? 0, output ?? 0].every((n) => Number.isSafeInteger(n) && n >= 0)
  if (!inRange) return [`its usage is ${said}`]
  const isBroken = typeof sees === 'object' && 'broken' in sees
  if (isBroken && (output ?? 0) < 1) return [`was given words and counted ${said}`]
  if (sees !== 'whole' && !mended) return []
  const given = typeof fault.counted === 'function' ? fault.counted(variant) : fault.counted
  const expected = mended ? 'exact' : (given ?? 'exact')
  if (counted !== expected) return [`expected ${expected} usage, is ${said}`]
  const isDue = expected === 'exact' && (mended || fault.kind !== 'usage')
  const isSame = input === counts.input && output === counts.output
  return isDue && !isSame ? [`its usage is ${said}`] : []
}

function firstResult({ tries }: LedgerRow): string {
  const [first] = JSON.parse(tries ?? '[]') as readonly { readonly result: string }[]
  return first?.result ?? 'missing'
}

export interface Stage extends AsyncDisposable {
  readonly rig: Rig
  readonly cases: readonly Case[]
  readonly servers: readonly { readonly fault: UpstreamFault; readonly server: ScriptedUpstream }[]
}

export async function setStage({
  faults,
  patienceMs,
  variants = variantsOf,
}: StageOptions): Promise<Stage> {
  await using owned = new AsyncDisposableStack()
  const places = await openPlaces(owned, faults)
  const servers: { readonly fault: UpstreamFault; readonly server: ScriptedUpstream }[] = []
  const upstreams: Record<string, object> = {}
  const models: Record<string, object> = {}
  const cases: Case[] = []
  for (const fault of faults) {
    const server = fault.script && owned.use(await serverOf(fault.script))
    if (server !== undefined) servers.push({ fault, server })
    const origin = server?.origin ?? fault.at?.(places) ?? ''
    const more = fault.deadlines === undefined ? {} : { deadlines: fault.deadlines }
    for (const protocol of bothProtocols)
      upstreams[nameOf(fault, protocol)] = upstreamAt(protocol, origin, more)
    for (const variant of variants(fault)) {
      const model = modelOf(fault, variant)
      const target = `${nameOf(fault, variant.upstream)}/${model}`
      const next = `${goodNames[variant.upstream]}/${model}`
      models[model] = { targets: variant.hasNext ? [target, next] : [target] }
      cases.push({ fault, variant, model, server })
    }
  }
  const rig = owned.use(await startRig({ config: { upstreams, models }, patienceMs }))
  const moved = owned.move()
  return { rig, cases, servers, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

const bothProtocols: readonly ProtocolName[] = ['chat-completions', 'messages']

function serverOf(script: NonNullable<UpstreamFault['script']>): Promise<ScriptedUpstream> {
  return startScriptedUpstream((request) => script(servingOf(request)))
}

function nameOf({ name }: UpstreamFault, protocol: ProtocolName): string {
  return `${name.slice(0, 60)}-${protocol[0]}`
}

function modelOf(
  { name }: UpstreamFault,
  { caller, upstream, isStream, hasNext }: Variant,
): string {
  return `${name}:${caller[0]}${upstream[0]}${isStream ? 's' : 'r'}${hasNext ? '2' : '1'}`
}

/** Bytes of a request after which a listener resets. */
const resetBytes = [1, 10, 50, 100, 200, 300]

async function openPlaces(
  owned: AsyncDisposableStack,
  faults: readonly UpstreamFault[],
): Promise<Places> {
  const open = async (serve: Parameters<typeof listen>[0]): Promise<number> => {
    const listener: Listener = owned.use(await listen(serve))
    return listener.port
  }
  const resetsAfter = new Map<number, number>()
  for (const bytes of resetBytes) {
    const port = await open((socket) => {
      let heard = 0
      socket.on('data', (data) => {
        heard += data.length
        if (heard >= bytes) socket.resetAndDestroy()
      })
    })
    resetsAfter.set(bytes, port)
  }
  const afterHead = (act: 'end' | 'resetAndDestroy') =>
    open((socket) =>
      socket.on('data', (data: Buffer) => data.includes('\r\n\r\n') && socket[act]()),
    )
  const hasBlackHole = faults.some(({ name }) => name === 'black-hole')
  return {
    closed: await closedPort(),
    resetsAtOnce: await open((socket) => socket.resetAndDestroy()),
    closesAtOnce: await open((socket) => socket.end()),
    resetsAfter,
    resetsAfterHead: await afterHead('resetAndDestroy'),
    closesAfterHead: await afterHead('end'),
    blackHole: hasBlackHole ? owned.use(await blackHole()).port : 1,
  }
}
