import { Facts } from '#console/web/parts/facts.tsx'

import { AuditObject } from './audit-object.tsx'
import type { AuditRow } from './audit-table.tsx'
import { detailWords } from './detail-words.ts'

/** What was said of a deed, and on demand what it is sealed with. */
export function AuditDetails({ row }: { readonly row: AuditRow }) {
  const { seq, action, details, requestId, beforeHash, afterHash, hash, address, object } = row
  const words = detailWords(action, details)
  return (
    <details className="audit-row">
      <summary>{words === '' ? <span className="audit-more">more</span> : words}</summary>
      <Facts
        facts={[
          ['Row', seq],
          ['Object', <AuditObject key="object" object={object} />],
          ['From', address ?? undefined],
          ['Request', <code key="request">{requestId}</code>],
          ['It was before', beforeHash === null ? undefined : <code>{beforeHash}</code>],
          ['It was after', afterHash === null ? undefined : <code>{afterHash}</code>],
          ['Seal of this row', <code key="hash">{hash}</code>],
        ]}
      />
    </details>
  )
}
