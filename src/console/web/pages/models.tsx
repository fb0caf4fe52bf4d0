import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { FilterBar } from '#console/web/parts/filter-bar.tsx'
import { Page, Section } from '#console/web/parts/page.tsx'
import { SearchField } from '#console/web/parts/search-field.tsx'
import { useAddress } from '#console/web/parts/use-address.ts'

import { AddUpstream } from './models/add-upstream.tsx'
import { ModelTable } from './models/model-table.tsx'
import { statesOf } from './models/target-state.ts'
import { UpstreamCards } from './models/upstream-cards.tsx'

/** Health is looked at again this often. */
const everyMs = 5000

/** The models that can be asked for, who answers, how they fare and what they cost. */
export function Models() {
  const { may, seesAll } = useMe()
  const { get, change } = useAddress()
  const models = useAsk('GET /api/models', {}, { refetchInterval: 6 * everyMs })
  const upstreams = useAsk('GET /api/upstreams', {}, { refetchInterval: everyMs })
  const search = get('search') ?? ''
  const known = upstreams.data?.upstreams ?? []
  return (
    <Page title="Models" description="What callers may ask for, who answers, and what it costs.">
      <FilterBar isAny={search !== ''} onClear={() => change({ search: undefined })}>
        <SearchField
          label="Search"
          placeholder="model or target"
          value={search}
          onSearch={(text) => change({ search: text })}
        />
      </FilterBar>
      <Answered query={models}>
        {(answer) => <ModelTable models={answer.models} states={statesOf(known)} search={search} />}
      </Answered>
      <Section title="Upstreams" actions={may('admin') && seesAll && <AddUpstream />}>
        <Answered query={upstreams}>
          {(answer) => (
            <UpstreamCards upstreams={answer.upstreams} models={models.data?.models ?? []} />
          )}
        </Answered>
      </Section>
    </Page>
  )
}
