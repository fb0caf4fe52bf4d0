import { Button, Code, Flex, Text, TextArea } from '@radix-ui/themes'
import { useState } from 'react'

import type { ToolCall, ToolResult } from './conversation.ts'

export interface ToolAnswersProps {
  readonly calls: readonly ToolCall[]
  readonly onResults: (results: readonly ToolResult[]) => void
}

/** The model waits for what its tools give: here one says it in their place. */
export function ToolAnswers({ calls, onResults }: ToolAnswersProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const results = calls.map(({ id }) => ({ callId: id, text: texts[id] ?? '' }))
  return (
    <form
      className="play-results"
      onSubmit={(event) => {
        event.preventDefault()
        onResults(results)
      }}
    >
      <Flex direction="column" gap="2">
        {calls.map(({ id, name }) => (
          <label key={id}>
            <Text size="2">
              What <Code>{name}</Code> gives
            </Text>
            <TextArea
              rows={2}
              className="play-code"
              value={texts[id] ?? ''}
              onChange={(event) => setTexts({ ...texts, [id]: event.currentTarget.value })}
            />
          </label>
        ))}
        <Button type="submit" disabled={results.some(({ text }) => text === '')}>
          Give it to the model
        </Button>
      </Flex>
    </form>
  )
}
