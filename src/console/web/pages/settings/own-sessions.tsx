import { useAsk, useChange } from '#console/web/api/use-ask.ts'
import { SessionTable } from '#console/web/pages/users/session-table.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Problem } from '#console/web/parts/problem.tsx'

/** Where one is signed in oneself. */
export function OwnSessions() {
  const query = useAsk('GET /api/me/sessions')
  const end = useChange('DELETE /api/me/sessions/{id}', [
    'GET /api/me/sessions',
    'GET /api/sessions',
  ])
  return (
    <Answered query={query}>
      {({ sessions }) => (
        <>
          {end.isError && <Problem error={end.error} />}
          <SessionTable
            sessions={sessions}
            busyId={end.isPending ? end.variables.params.id : undefined}
            onEnd={({ id }) => end.mutate({ params: { id } })}
          />
        </>
      )}
    </Answered>
  )
}
