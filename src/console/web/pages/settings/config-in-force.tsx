import { Badge, Code, Text } from '@radix-ui/themes'

import type { Answer } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { Section } from '#console/web/parts/page.tsx'

import { type ConfigRow, configSections } from './config-rows.ts'

/** The config as it is in force, with who said what. It is changed in its file, which is read again by itself. */
export function ConfigInForce() {
  const query = useAsk('GET /api/config')
  return (
    <Section title="Config in force">
      <Answered query={query}>{(shown) => <Config shown={shown} />}</Answered>
    </Section>
  )
}

function Config({ shown }: { readonly shown: Answer<'GET /api/config'> }) {
  const { file, origins } = shown
  return (
    <div className="config">
      <Text as="p" size="2" color="gray">
        {file === null ? (
          'There is no config file: what nobody said otherwise is as by default.'
        ) : (
          <>
            From <Code variant="ghost">{file}</Code>. A change of the file is in force by itself,
            but for <Code variant="ghost">listen</Code>, which takes a restart.
          </>
        )}{' '}
        Secrets are not shown.
      </Text>
      {configSections(shown).map(({ name, rows }) => (
        <details
          key={name}
          open={rows.some(({ from }) => from !== undefined && from !== 'default')}
        >
          <summary>{name}</summary>
          <DataTable
            caption={`Config of ${name}`}
            rows={rows}
            idOf={(row) => row.name}
            columns={origins === null ? columns : [...columns, fromColumn]}
          />
        </details>
      ))}
    </div>
  )
}

const columns: readonly Column<ConfigRow>[] = [
  { id: 'name', title: 'Setting', cell: ({ name }) => <Code variant="ghost">{name}</Code> },
  { id: 'value', title: 'Value', cell: ({ value }) => <span className="limit-text">{value}</span> },
]

const fromWords = {
  file: 'config file',
  environment: 'environment',
  'command-line': 'command line',
  default: 'default',
} as const satisfies Record<NonNullable<ConfigRow['from']>, string>

const fromColumn: Column<ConfigRow> = {
  id: 'from',
  title: 'Said by',
  cell: ({ from = 'default' }) => (
    <Badge color={from === 'default' ? 'gray' : 'indigo'}>{fromWords[from]}</Badge>
  ),
}
