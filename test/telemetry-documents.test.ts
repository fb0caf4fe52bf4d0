import { describe, expect, test } from 'bun:test'

import { parse } from 'yaml'

import { errorKinds } from '#chat/error.ts'
import { families } from '#telemetry/metrics/families.ts'
import { genAiFamilies } from '#telemetry/metrics/gen-ai-families.ts'

const dashboard = await Bun.file('docs/telemetry/grafana-dashboard.json').json()
const alerts = parse(await Bun.file('docs/telemetry/alerts.yaml').text())
const document = await Bun.file('docs/telemetry.md').text()

interface Query {
  readonly of: string
  readonly expression: string
}

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string }[]
}

interface Rule {
  readonly alert: string
  readonly expr: string
}

const panels: readonly Panel[] = dashboard.panels
const rules: readonly Rule[] = alerts.groups.flatMap(({ rules }: { rules: Rule[] }) => rules)
const queries: readonly Query[] = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ of: title, expression: expr })),
  ),
  ...rules.map(({ alert, expr }) => ({ of: alert, expression: expr })),
]

/** Every series that the gateway may tell, with the labels that it may have. */
const series = new Map(
  families.flatMap(({ name, type, labels }) =>
    type === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]],
  ) as [string, readonly string[]][],
)

/** What Prometheus adds to everything that it scrapes. */
const scrapeLabels = ['instance', 'job']

/** The series that an expression names, each with the labels by which it chooses among them. */
function selectorsIn(expression: string): { readonly name: string; readonly labels: string[] }[] {
  const found = expression.matchAll(/\b((?:parley|process)_\w+)(?:\{([^}]*)\})?/g)
  return [...found].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
  }))
}

describe('the dashboard and the alerts', () => {
  test('ask only for what the gateway tells', () => {
    expect(queries.length).toBeGreaterThan(40)
    for (const { of, expression } of queries) {
      const selectors = selectorsIn(expression)
      expect([of, selectors.length > 0 || expression.startsWith('up{')]).toEqual([of, true])
      for (const { name, labels } of selectors) {
        const known = series.get(name)
        expect([of, name, known !== undefined]).toEqual([of, name, true])
        const unknown = labels.filter(
          (label) => ![...(known ?? []), ...scrapeLabels].includes(label),
        )
        expect([of, name, unknown]).toEqual([of, name, []])
      }
    }
  })

  test('choose by codes that there are', () => {
    const codes = [...Object.keys(errorKinds), 'ok', 'answered', 'complete']
    for (const { of, expression } of queries) {
      const exact = [...expression.matchAll(/\b(?:code|result)!?="([^"]*)"/g)].map(
        ([, code = '']) => code,
      )
      const unions = [...expression.matchAll(/result=~"upstream-\(([^)]*)\)"/g)].flatMap(
        ([, words = '']) => words.split('|').map((word) => `upstream-${word}`),
      )
      const unknown = [...exact, ...unions].filter(
        (code) => !codes.includes(code) && !['taken', 'failed'].includes(code),
      )
      expect([of, unknown]).toEqual([of, []])
    }
  })

  test('show every metric somewhere', () => {
    const shown = new Set(
      queries.flatMap(({ expression }) => selectorsIn(expression)).map(({ name }) => name),
    )
    const bare = families.filter(
      ({ name }) => ![name, `${name}_bucket`].some((one) => shown.has(one)),
    )
    const forOthers = ['parley_engine_up', 'parley_build_info', 'process_start_time_seconds']
    expect(bare.map(({ name }) => name).toSorted()).toEqual(forOthers.toSorted())
  })
})

describe('the document', () => {
  test('has every metric with its labels and its unit, and no other', () => {
    const rows = [...document.matchAll(/^\| `([\w.]+)` \| (\w+) \| `([^`]+)` \| ([^|]*) \| /gm)]
    const told = rows.map(([, name, type, unit, labels = '']) => ({
      name,
      type,
      unit,
      labels: [...labels.matchAll(/`([\w.]+)`/g)].map(([, label]) => label),
    }))
    const known = [...families, ...genAiFamilies].map(({ name, type, unit, labels }) => ({
      name,
      type,
      unit,
      labels: [...labels],
    }))
    expect(told as unknown[]).toEqual(known)
  })
})
