import type { Answer } from '#console/web/api/contract.ts'

type Shown = Answer<'GET /api/config'>
export type Origin = NonNullable<Shown['origins']>[number]

/** One value of the config, and who said it. */
export interface ConfigRow {
  /** As an operator writes it: `upstreams.away.url`, `models.fast.targets[0].weight`. */
  readonly name: string
  readonly value: string
  /** Absent where nobody knows. */
  readonly from?: Origin['from'] | 'default'
}

export interface ConfigSection {
  readonly name: string
  readonly rows: readonly ConfigRow[]
}

/** The config by its sections, one row for each value. */
export function configSections({ config, origins }: Shown): readonly ConfigSection[] {
  const known = origins && new Map(origins.map(({ path, from }) => [path.join('\0'), from]))
  return Object.entries(config).map(([name, value]) => ({
    name,
    rows: leavesOf(value, [name]).map(({ path, text }) => ({
      name: pathText(path.slice(1)) || name,
      value: text,
      ...(known !== null && { from: fromOf(path, known) }),
    })),
  }))
}

interface Leaf {
  readonly path: readonly (string | number)[]
  readonly text: string
}

function leavesOf(value: unknown, path: Leaf['path']): readonly Leaf[] {
  const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  if (members.length > 0)
    return members.flatMap(([name, member]) => leavesOf(member, [...path, name]))
  return [{ path, text: textOf(value) }]
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? 'none' : (JSON.stringify(value) ?? 'none')
}

function pathText(path: Leaf['path']): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      if (!/^[\w-]+$/.test(part)) return `["${part}"]`
      return index === 0 ? part : `.${part}`
    })
    .join('')
}

/**
 * Who said a value. What is written in short, such as a target, is several values in force; and times are in force in
 * milliseconds, whatever unit they are written in.
 */
function fromOf(
  path: Leaf['path'],
  known: ReadonlyMap<string, Origin['from']>,
): Origin['from'] | 'default' {
  const parts = path.map(String)
  const withoutUnit = [...parts.slice(0, -1), (parts.at(-1) ?? '').replace(/Ms$/, '')]
  const exact = known.get(parts.join('\0')) ?? known.get(withoutUnit.join('\0'))
  if (exact !== undefined) return exact
  for (let length = parts.length - 1; length > 0; length--) {
    const from = known.get(parts.slice(0, length).join('\0'))
    if (from !== undefined) return from
  }
  return 'default'
}
