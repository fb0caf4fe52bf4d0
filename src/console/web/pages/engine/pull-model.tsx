import { Button, Callout, Flex, Progress, Text } from '@radix-ui/themes'
import { useState } from 'react'

import { bytesText, tookText } from '#console/web/parts/amounts.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { Unsaved } from '#console/web/parts/unsaved.tsx'

import { type PullState, secondsLeft } from './pull-state.ts'
import { isUnderWay, usePull } from './use-pull.ts'

/** Fetches a model from elsewhere, and shows how far it is. */
export function PullModel() {
  const { state, begin, stop } = usePull()
  const [source, setSource] = useState('')
  const [sha256, setChecksum] = useState('')
  const isBusy = isUnderWay(state)
  return (
    <form
      className="engine-pull"
      onSubmit={(event) => {
        event.preventDefault()
        if (source !== '' && !isBusy) begin(source, sha256)
      }}
    >
      <Unsaved hasUnsaved={() => isBusy} title="Stop pulling?">
        The model is fetched only while this page is open. What has come is kept, and the next pull
        goes on from there.
      </Unsaved>
      <Flex gap="3" align="end" wrap="wrap">
        <Field
          label="Model"
          hint="owner/repo[:quant], hf:owner/repo/file.gguf, or an https URL"
          placeholder="Qwen/Qwen3-4B-GGUF:Q4_K_M"
          required
          spellCheck={false}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value.trim())}
        />
        <Field
          label="SHA-256 (if you know it)"
          hint="A file that differs is not kept."
          spellCheck={false}
          pattern="[0-9a-fA-F]{64}"
          value={sha256}
          onChange={(event) => setChecksum(event.currentTarget.value.trim())}
        />
      </Flex>
      <Flex gap="3" mt="3">
        <Button type="submit" disabled={isBusy || source === ''}>
          Pull
        </Button>
        {isBusy && (
          <Button type="button" variant="soft" color="gray" onClick={stop}>
            Stop
          </Button>
        )}
      </Flex>
      <div aria-live="polite">
        <PullOutcome state={state} />
      </div>
    </form>
  )
}

function PullOutcome({ state }: { readonly state: PullState }) {
  switch (state.type) {
    case 'idle':
      return null
    case 'asking':
      return <Told color="gray">Asking for {state.source}…</Told>
    case 'fetching':
      return <Fetching state={state} />
    case 'done':
      return (
        <Told color="green">
          {state.model} is here ({bytesText(state.bytes)}). Load it, or ask for engine/{state.model}
          .
        </Told>
      )
    case 'failed':
      return <Told color="red">{state.message}</Told>
    case 'stopped':
      return (
        <Told color="gray">
          Stopped. What has come is kept, and the next pull of {state.source} goes on from there.
        </Told>
      )
    default:
      return state satisfies never
  }
}

function Told({
  color,
  children,
}: {
  readonly color: 'gray' | 'green' | 'red'
  readonly children: React.ReactNode
}) {
  return (
    <Callout.Root color={color} size="1" mt="3">
      <Callout.Text className="engine-name">{children}</Callout.Text>
    </Callout.Root>
  )
}

function Fetching({ state }: { readonly state: Extract<PullState, { type: 'fetching' }> }) {
  const { file, bytes, total, speed } = state
  const left = secondsLeft(state)
  return (
    <Flex direction="column" gap="2" mt="3">
      <Text as="p" size="2" className="engine-name">
        {file}
      </Text>
      <Progress
        {...(total !== null && { value: bytes, max: Math.max(total, 1) })}
        aria-label={`How much of ${file} has come`}
      />
      <Text as="p" size="1" color="gray">
        {bytesText(bytes)}
        {total !== null &&
          ` of ${bytesText(total)} (${Math.floor((bytes / Math.max(total, 1)) * 100)} %)`}
        {speed > 0 && `, ${bytesText(speed)} a second`}
        {left !== undefined && `, ${tookText(left * 1000)} to go`}. It goes on while this page is
        open.
      </Text>
    </Flex>
  )
}
