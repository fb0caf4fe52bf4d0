import { SegmentedControl } from '@radix-ui/themes'
import { useMemo } from 'react'

import { Page } from '#console/web/parts/page.tsx'
import { useAddress } from '#console/web/parts/use-address.ts'

import { ExchangeDialog } from './exchanges/exchange-dialog.tsx'
import { ExchangeFilterBar } from './exchanges/exchange-filter-bar.tsx'
import { filtersIn } from './exchanges/exchange-filters.ts'
import { LiveExchanges, PagedExchanges } from './exchanges/exchange-lists.tsx'

/** Each request and its whole answer: as they end, or searched for; and one of them opened. */
export function Exchanges() {
  const address = useAddress()
  const filters = useMemo(() => filtersIn(address), [address.text])
  const isLive = address.get('view') === 'live'
  const opened = address.get('open')
  return (
    <Page
      title="Exchanges"
      description="Each request and its whole answer. The one that ended last is the first."
      actions={
        <SegmentedControl.Root
          value={isLive ? 'live' : 'list'}
          onValueChange={(view) =>
            address.change({ view: view === 'live' ? 'live' : undefined, before: undefined })
          }
          aria-label="How exchanges are shown"
        >
          <SegmentedControl.Item value="list">List</SegmentedControl.Item>
          <SegmentedControl.Item value="live">Live</SegmentedControl.Item>
        </SegmentedControl.Root>
      }
    >
      <ExchangeFilterBar filters={filters} change={address.change} />
      {isLive ? (
        <LiveExchanges filters={filters} address={address} />
      ) : (
        <PagedExchanges filters={filters} address={address} />
      )}
      {opened !== null && (
        <ExchangeDialog id={opened} onClose={() => address.change({ open: undefined })} />
      )}
    </Page>
  )
}
