import { ImageIcon, PaperPlaneIcon, StopIcon } from '@radix-ui/react-icons'
import { Button, Flex, Text, TextArea } from '@radix-ui/themes'
import { type KeyboardEvent, useRef, useState } from 'react'

import type { Picture } from './conversation.ts'
import { pictureOf } from './picture-file.ts'
import { PictureRow } from './picture-row.tsx'

export interface ComposerProps {
  readonly isBusy: boolean
  /** Why nothing can be sent now; undefined where it can. */
  readonly obstacle: string | undefined
  readonly onSay: (text: string, pictures: readonly Picture[]) => void
  readonly onStop: () => void
}

/** Where one says something to the models. */
export function Composer({ isBusy, obstacle, onSay, onStop }: ComposerProps) {
  const [text, setText] = useState('')
  const [pictures, setPictures] = useState<readonly Picture[]>([])
  const maySend = !isBusy && obstacle === undefined && (text.trim() !== '' || pictures.length > 0)
  const say = (): void => {
    if (!maySend) return
    onSay(text, pictures)
    setText('')
    setPictures([])
  }
  return (
    <form
      className="play-composer"
      onSubmit={(event) => {
        event.preventDefault()
        say()
      }}
    >
      <PictureRow
        pictures={pictures}
        onRemove={(index) => setPictures(pictures.toSpliced(index, 1))}
      />
      <TextArea
        aria-label="What you say"
        placeholder="Say something. Ctrl or ⌘ and Enter sends it."
        rows={3}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isSending(event)) say()
        }}
      />
      <Flex gap="3" align="center" justify="between" wrap="wrap">
        <AttachButton onPictures={(more) => setPictures([...pictures, ...more])} />
        {obstacle !== undefined && (
          <Text size="2" color="red">
            {obstacle}
          </Text>
        )}
        {isBusy ? (
          <Button type="button" color="red" variant="soft" onClick={onStop}>
            <StopIcon aria-hidden="true" /> Stop
          </Button>
        ) : (
          <Button type="submit" disabled={!maySend}>
            <PaperPlaneIcon aria-hidden="true" /> Send
          </Button>
        )}
      </Flex>
    </form>
  )
}

function isSending({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey)
}

function AttachButton({ onPictures }: { readonly onPictures: (all: readonly Picture[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string>()
  const attach = async (files: readonly File[]): Promise<void> => {
    try {
      onPictures(await Promise.all(files.map(pictureOf)))
      setFault(undefined)
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Flex gap="2" align="center">
      <Button type="button" variant="soft" color="gray" onClick={() => input.current?.click()}>
        <ImageIcon aria-hidden="true" /> Attach pictures
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Pictures"
        onChange={(event) => {
          void attach([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      {fault !== undefined && (
        <Text size="1" color="red" role="alert">
          {fault}
        </Text>
      )}
    </Flex>
  )
}
