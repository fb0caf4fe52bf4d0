import { createHash } from 'node:crypto'

/** The names of an exchange's tools: as the caller knows them, and as the target is told them. */
export interface NameMap {
  /** From the caller's name to the sent one, for every name. */
  readonly sent: ReadonlyMap<string, string>
  /** From the sent name to the caller's, only where they differ. */
  readonly callers: ReadonlyMap<string, string>
}

/**
 * What a tool is called upstream: its own name if every vendor takes it, else a readable rest of it and
 * a hash of the whole. The same name gives the same result in every request, so a prompt cache stays warm.
 */
export function sentName(name: string, limit: number): string {
  if (name.length <= limit && plainName.test(name)) return name
  return withHash(name, name, limit)
}

/**
 * Names every tool of a request so that no two are sent alike. `names` may repeat; they are those of the tools,
 * the tool choice and the history together.
 */
export function nameMap(names: Iterable<string>, limit: number): NameMap {
  const all = new Set(names)
  const sent = new Map<string, string>()
  const callers = new Map<string, string>()
  for (const name of all) {
    const told = freeName(name, limit, (other) => callers.has(other) || isOwn(other, name, all))
    sent.set(name, told)
    if (told !== name) callers.set(told, name)
  }
  return { sent, callers }
}

const plainName = /^[a-zA-Z0-9_-]+$/
const foreignUnits = /[^a-zA-Z0-9_-]/g
const hashDigits = 8

/** A name that needs a hash gives way to one that is another tool's own. */
function isOwn(told: string, name: string, all: ReadonlySet<string>): boolean {
  return told !== name && all.has(told)
}

function freeName(name: string, limit: number, isTaken: (told: string) => boolean): string {
  let told = sentName(name, limit)
  for (let turn = 1; isTaken(told); turn++) told = withHash(name, `${name}\0${turn}`, limit)
  return told
}

function withHash(name: string, hashed: string, limit: number): string {
  const rest = name.replace(foreignUnits, '_').slice(0, limit - hashDigits - 1)
  return `${rest}_${createHash('sha256').update(hashed).digest('hex').slice(0, hashDigits)}`
}
