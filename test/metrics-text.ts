import { adminOf } from './admin-rig.ts'
import type { TestGateway } from './start-gateway.ts'

/** One line of what Prometheus is told. */
export interface Line {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What a gateway tells Prometheus now. */
export async function scraped({ gateway }: TestGateway): Promise<readonly Line[]> {
  const response = await fetch(`http://127.0.0.1:${adminOf(gateway).port}/metrics`)
  if (!response.ok) throw new Error(`/metrics: ${response.status} ${await response.text()}`)
  return linesIn(await response.text())
}

/** Reads the text format. Throws at a line that is none of it. */
export function linesIn(text: string): readonly Line[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('# ')) return []
    const [, name = '', labels = '', value = ''] =
      /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/.exec(line) ?? []
    if (name === '') throw new Error(`This is no line of the text format: ${line}`)
    const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)]
    return [
      {
        name,
        labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
        value: Number(value),
      },
    ]
  })
}

/** The sum of the lines of a name that have these labels. */
export function sumOf(
  lines: readonly Line[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const wanted = Object.entries(labels)
  return lines
    .filter((line) => line.name === name)
    .filter((line) => wanted.every(([key, value]) => line.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
}
