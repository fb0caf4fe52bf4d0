import { PlusIcon, ReloadIcon } from '@radix-ui/react-icons'
import { Button, Flex } from '@radix-ui/themes'
import { useState } from 'react'

import type { Model, Project } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'

import { CodeDialog } from './code-dialog.tsx'
import { Composer } from './composer.tsx'
import { lastAsked, openCalls } from './conversation.ts'
import { firstModel } from './first-model.ts'
import { ModelColumn } from './model-column.tsx'
import { type SettingText, settingOf, usualSetting } from './setting-text.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { type Asking, type Columns, useColumns } from './use-columns.ts'

export interface WorkbenchProps {
  readonly models: readonly Model[]
  readonly projects: readonly Project[]
}

/** So many stand side by side. */
const mostColumns = 2

/** The settings, the models side by side, and where one speaks to them. */
export function Workbench({ models, projects }: WorkbenchProps) {
  const [text, setText] = useState<SettingText>(usualSetting)
  const [projectId, setProject] = useState(projects[0]?.id ?? '')
  const columns = useColumns({ protocol: 'chat-completions', model: firstModel(models) })
  const { setting, faults } = settingOf(text)
  const asking = { setting, projectId }
  return (
    <div className="play">
      <SettingsPanel
        text={text}
        faults={faults}
        onChange={(change) => setText({ ...text, ...change })}
        projectId={projectId}
        projects={projects.map(({ id, name }) => [id, name] as const)}
        onProject={setProject}
      />
      <div className="play-bench">
        <Conversations models={models} columns={columns} asking={asking} />
        <Composer
          isBusy={columns.isBusy}
          obstacle={obstacleOf(columns, Object.keys(faults).length)}
          onSay={(said, pictures) => columns.say(said, pictures, asking)}
          onStop={columns.stop}
        />
      </div>
    </div>
  )
}

function obstacleOf({ columns }: Columns, faults: number): string | undefined {
  if (faults > 0) return 'Something in the settings is not valid.'
  const isWaiting = columns.some(({ turns }) => openCalls(turns).length > 0)
  return isWaiting ? 'A model waits for what its tools give.' : undefined
}

interface ConversationsProps {
  readonly models: readonly Model[]
  readonly columns: Columns
  readonly asking: Asking
}

function Conversations({ models, columns: all, asking }: ConversationsProps) {
  const gateway = useAsk('GET /api/playground')
  const [coded, setCoded] = useState<number>()
  const { columns, isBusy } = all
  const shown = columns.find(({ id }) => id === coded)
  return (
    <>
      <Flex gap="2" justify="end" wrap="wrap">
        <Button variant="ghost" color="gray" onClick={all.clear}>
          <ReloadIcon aria-hidden="true" /> New conversation
        </Button>
        {columns.length < mostColumns && (
          <Button
            variant="ghost"
            onClick={() => all.add({ protocol: 'messages', model: firstModel(models, columns) })}
          >
            <PlusIcon aria-hidden="true" /> A second model
          </Button>
        )}
      </Flex>
      <div className="play-columns">
        {columns.map((column) => (
          <ModelColumn
            key={column.id}
            column={column}
            models={models}
            isBusy={isBusy}
            onChange={(change) => all.change(column.id, change)}
            onResults={(results) => all.giveResults(column.id, results, asking)}
            onCode={() => setCoded(column.id)}
            {...(columns.length > 1 && { onRemove: () => all.remove(column.id) })}
          />
        ))}
      </div>
      <CodeDialog
        options={
          shown && {
            ...shown,
            turns: lastAsked(shown.turns),
            setting: asking.setting,
            url: gateway.data?.url ?? usualUrl,
          }
        }
        onClose={() => setCoded(undefined)}
      />
    </>
  )
}

const usualUrl = 'http://localhost:8700'
