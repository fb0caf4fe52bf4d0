import { Cross2Icon } from '@radix-ui/react-icons'
import { IconButton } from '@radix-ui/themes'

import type { Picture } from './conversation.ts'

export interface PictureRowProps {
  readonly pictures: readonly Picture[]
  readonly onRemove: (index: number) => void
}

/** Pictures that will be sent. */
export function PictureRow({ pictures, onRemove }: PictureRowProps) {
  if (pictures.length === 0) return null
  return (
    <ul className="play-pictures">
      {pictures.map(({ mediaType, base64 }, index) => (
        // The same picture may be there twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <img src={`data:${mediaType};base64,${base64}`} alt={`Picture ${index + 1}`} />
          <IconButton
            type="button"
            size="1"
            variant="soft"
            color="gray"
            aria-label={`Remove picture ${index + 1}`}
            onClick={() => onRemove(index)}
          >
            <Cross2Icon />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
