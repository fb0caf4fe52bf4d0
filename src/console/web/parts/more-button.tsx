import { Button, Flex } from '@radix-ui/themes'

export interface MoreButtonProps {
  readonly hasMore: boolean
  readonly isBusy: boolean
  readonly onMore: () => void
}

/** The way to the next page of a list. */
export function MoreButton({ hasMore, isBusy, onMore }: MoreButtonProps) {
  if (!hasMore) return null
  return (
    <Flex justify="center" mt="3">
      <Button variant="soft" color="gray" loading={isBusy} onClick={onMore}>
        Show more
      </Button>
    </Flex>
  )
}
