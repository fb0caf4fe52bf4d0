import { CodeIcon, Cross2Icon } from '@radix-ui/react-icons'
import { Flex, IconButton } from '@radix-ui/themes'
import { useEffect, useRef } from 'react'

import type { Model } from '#console/web/api/contract.ts'
import { Choice } from '#console/web/parts/choice.tsx'

import { type Column, openCalls, type Protocol, type ToolResult } from './conversation.ts'
import { ToolAnswers } from './tool-answers.tsx'
import { TurnView } from './turn-view.tsx'

export interface ModelColumnProps {
  readonly column: Column
  readonly models: readonly Model[]
  readonly isBusy: boolean
  readonly onChange: (change: Partial<Pick<Column, 'protocol' | 'model'>>) => void
  readonly onResults: (results: readonly ToolResult[]) => void
  readonly onCode: () => void
  /** Absent where this is the only one. */
  readonly onRemove?: () => void
}

/** One model: which it is, by which protocol it is asked, and the conversation with it. */
export function ModelColumn(props: ModelColumnProps) {
  const { column, isBusy, onResults } = props
  const calls = isBusy ? [] : openCalls(column.turns)
  return (
    <section className="play-column" aria-label={`Conversation with ${column.model}`}>
      <ColumnHead {...props} />
      <ol className="play-turns">
        {column.turns.map((turn, index) => (
          // Turns are only ever added at the end.
          // oxlint-disable-next-line react/no-array-index-key
          <TurnView key={index} turn={turn} />
        ))}
      </ol>
      {calls.length > 0 && <ToolAnswers calls={calls} onResults={onResults} />}
      <ScrollMark turns={column.turns.length} />
    </section>
  )
}

function ColumnHead(props: ModelColumnProps) {
  const { column, models, onChange, onCode, onRemove } = props
  return (
    <Flex gap="2" align="end" className="play-head">
      <Choice
        label="Model"
        value={column.model}
        options={models.map(({ id }) => [id, id] as const)}
        onChoose={(model) => onChange({ model })}
      />
      <Choice
        label="Protocol"
        value={column.protocol}
        options={protocols}
        onChoose={(value) => onChange({ protocol: protocolOf(value) })}
      />
      <IconButton
        variant="soft"
        color="gray"
        aria-label={`Show ${column.model} as code`}
        title="Show as code"
        onClick={onCode}
      >
        <CodeIcon />
      </IconButton>
      {onRemove !== undefined && (
        <IconButton
          variant="soft"
          color="gray"
          title="Remove"
          aria-label={`Remove ${column.model}`}
          onClick={onRemove}
        >
          <Cross2Icon />
        </IconButton>
      )}
    </Flex>
  )
}

const protocols = [
  ['chat-completions', 'chat completions'],
  ['messages', 'messages'],
] as const satisfies readonly (readonly [Protocol, string])[]

function protocolOf(value: string): Protocol {
  return value === 'messages' ? 'messages' : 'chat-completions'
}

/** Comes into view when something was said. */
function ScrollMark({ turns }: { readonly turns: number }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (turns > 0) mark.current?.scrollIntoView({ block: 'nearest' })
  }, [turns])
  return <div ref={mark} />
}
