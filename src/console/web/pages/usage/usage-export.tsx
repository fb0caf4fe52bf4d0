import { DownloadIcon } from '@radix-ui/react-icons'
import { Button } from '@radix-ui/themes'
import { useState } from 'react'

import { askFile } from '#console/web/api/ask.ts'
import { useMe } from '#console/web/api/me.ts'
import { Choice } from '#console/web/parts/choice.tsx'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'
import { saveFile } from '#console/web/parts/save-file.ts'

import type { UsageView } from './usage-address.ts'
import { usageCsv, usageJson } from './usage-file.ts'
import { dayText } from './usage-range.ts'
import type { UsageRow } from './usage-row.ts'

export interface UsageExportProps {
  readonly view: UsageView
  readonly rows: readonly UsageRow[]
}

/** What is shown, as a file; and for administrators every exchange behind it. */
export function UsageExport({ view, rows }: UsageExportProps) {
  const { may } = useMe()
  const [isAsking, setAsking] = useState(false)
  const name = `usage-by-${view.by}-${dayText(view.range.since)}`
  const isEmpty = rows.length === 0
  return (
    <>
      <Button
        variant="soft"
        color="gray"
        disabled={isEmpty}
        onClick={() => saveFile(`${name}.csv`, textFile(usageCsv(rows, view.by), 'text/csv'))}
      >
        <DownloadIcon aria-hidden="true" /> CSV
      </Button>
      <Button
        variant="soft"
        color="gray"
        disabled={isEmpty}
        onClick={() => saveFile(`${name}.json`, textFile(usageJson(rows), 'application/json'))}
      >
        <DownloadIcon aria-hidden="true" /> JSON
      </Button>
      {may('admin') && (
        <Button variant="soft" color="gray" onClick={() => setAsking(true)}>
          Every exchange…
        </Button>
      )}
      <ExportDialog view={view} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

function ExportDialog({
  view,
  isOpen,
  onClose,
}: {
  readonly view: UsageView
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const [format, setFormat] = useState<'csv' | 'ndjson'>('csv')
  const { since, until } = view.range
  const save = async (yourPassword: string): Promise<void> => {
    const body = {
      since,
      ...(until !== undefined && { until }),
      ...view.filters,
      format,
      yourPassword,
    }
    saveFile(
      `exchanges-${dayText(since)}.${format}`,
      await askFile('POST /api/usage/export', { body }),
    )
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Export every exchange"
      action="Export"
      asksPassword
      isDangerous={false}
      onConfirm={({ yourPassword }) => save(yourPassword)}
      onClose={onClose}
    >
      <p>
        One line for each exchange of the time and the filters that are chosen, the oldest first.
        Who exports is written to the audit log, so your password is asked for.
      </p>
      <Choice
        label="Form"
        value={format}
        options={[
          ['csv', 'CSV, for spreadsheets'],
          ['ndjson', 'One JSON object a line, for programs'],
        ]}
        onChoose={(chosen) => setFormat(chosen === 'csv' ? 'csv' : 'ndjson')}
      />
    </ConfirmDialog>
  )
}

function textFile(text: string, type: string): Blob {
  return new Blob([text], { type: `${type};charset=utf-8` })
}
