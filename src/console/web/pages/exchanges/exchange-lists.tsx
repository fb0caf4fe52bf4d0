import { Button, Flex } from '@radix-ui/themes'
import { useEffect, useMemo } from 'react'

import type { Exchange } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'
import type { Address } from '#console/web/parts/use-address.ts'

import { type ExchangeFilters, hasFilters, passes } from './exchange-filters.ts'
import { ExchangeTable } from './exchange-table.tsx'
import { LiveBar } from './live-bar.tsx'
import { mostRows, shownRows } from './live-tail.ts'
import { useLiveTail } from './use-live-tail.ts'

export interface ExchangeListProps {
  readonly filters: ExchangeFilters
  readonly address: Address
}

const pageRows = 50

/** What has ended, page after page. The page stands in the address, so the way back leads to newer ones. */
export function PagedExchanges({ filters, address }: ExchangeListProps) {
  const before = Number(address.get('before')) || undefined
  const query = useAsk(
    'GET /api/exchanges',
    { query: { since: 0, ...filters, before, limit: pageRows } },
    { keepsFormer: true },
  )
  return (
    <Answered query={query}>
      {({ exchanges, next }) =>
        exchanges.length === 0 ? (
          <NoExchanges isFiltered={hasFilters(filters) || before !== undefined} />
        ) : (
          <>
            <ExchangeTable exchanges={exchanges} linkTo={(id) => address.linkTo({ open: id })} />
            <Flex justify="between" mt="3">
              <Button
                variant="soft"
                color="gray"
                disabled={before === undefined}
                onClick={() => address.change({ before: undefined }, { isStep: true })}
              >
                Newest
              </Button>
              <Button
                variant="soft"
                color="gray"
                disabled={next === null}
                onClick={() => address.change({ before: next ?? undefined }, { isStep: true })}
              >
                Older
              </Button>
            </Flex>
          </>
        )
      }
    </Answered>
  )
}

/** What ends while one looks, on top of what had ended before. */
export function LiveExchanges({ filters, address }: ExchangeListProps) {
  const reading = useLiveTail()
  const former = useAsk('GET /api/exchanges', {
    query: { since: 0, ...filters, limit: pageRows },
  })
  const came = shownRows(reading.tail)
  const { state, tail } = reading
  const { refetch } = former
  // What ended between the list and the first look of the feed is in neither.
  useEffect(() => {
    if (state === 'open') void refetch()
  }, [state, refetch])
  const newest = tail.held?.[0]?.seq ?? Number.POSITIVE_INFINITY
  const rows = useMemo(() => {
    const older = (former.data?.exchanges ?? []).filter(({ seq }) => seq <= newest)
    const fresh = came.filter((exchange) => passes(filters, exchange))
    return merged(fresh, older)
  }, [came, former.data, filters, newest])
  return (
    <>
      <LiveBar {...reading} />
      <Answered query={former}>
        {() =>
          rows.length === 0 ? (
            <NoExchanges isFiltered={hasFilters(filters)} />
          ) : (
            <ExchangeTable exchanges={rows} linkTo={(id) => address.linkTo({ open: id })} />
          )
        }
      </Answered>
    </>
  )
}

/** Both lists as one, the newest first, none twice. */
function merged(some: readonly Exchange[], others: readonly Exchange[]): readonly Exchange[] {
  const all = new Map([...some, ...others].map((exchange) => [exchange.seq, exchange]))
  return [...all.values()].toSorted((one, other) => other.seq - one.seq).slice(0, mostRows)
}

function NoExchanges({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty
        title="No exchange is like this."
        next={<TextLink to="/exchanges">Show all exchanges</TextLink>}
      >
        Remove a filter, or look at another time.
      </Empty>
    )
  return (
    <Empty title="No exchange has ended yet." next={<TextLink to="/keys">See the keys</TextLink>}>
      Call the gateway with a key, and the exchange is here when its answer has ended.
    </Empty>
  )
}
