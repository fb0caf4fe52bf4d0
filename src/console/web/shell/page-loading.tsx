import { Flex, Spinner } from '@radix-ui/themes'

/** While the code of the first page is on its way. */
export function PageLoading() {
  return (
    <Flex align="center" justify="center" p="9" role="status" aria-label="Loading">
      <Spinner size="3" />
    </Flex>
  )
}
