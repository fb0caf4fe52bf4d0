import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

import { SessionTable } from './session-table.tsx'

/** Every session there is, or those of one user. */
export function EverySession({ userId }: { readonly userId?: string }) {
  const query = useAsk('GET /api/sessions')
  const end = useChange('DELETE /api/sessions/{id}', ['GET /api/sessions', 'GET /api/me/sessions'])
  return (
    <Answered query={query}>
      {({ sessions }) => (
        <>
          {end.isError && <Problem error={end.error} />}
          <SessionTable
            sessions={sessions.filter(
              (session) => userId === undefined || session.userId === userId,
            )}
            isOfAll={userId === undefined}
            busyId={end.isPending ? end.variables.params.id : undefined}
            onEnd={({ id }) => end.mutate({ params: { id } })}
          />
        </>
      )}
    </Answered>
  )
}
