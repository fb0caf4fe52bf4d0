import { Button } from '@radix-ui/themes'

import { useChange } from '#console/web/api/use-ask.ts'
import { Problem } from '#console/web/parts/problem.tsx'

import { engineQuestions, type LoadedModel } from './engine-model.ts'

/** Lets go of a model that nobody works with. */
export function UnloadButton({ model: { name, state } }: { readonly model: LoadedModel }) {
  const unload = useChange('POST /api/engine/models/{name}/unload', engineQuestions)
  return (
    <>
      <Button
        size="1"
        variant="soft"
        color="gray"
        disabled={state === 'loading'}
        loading={unload.isPending}
        onClick={() => unload.mutate({ params: { name } })}
        aria-label={`Unload ${name}`}
      >
        Unload
      </Button>
      {unload.isError && <Problem error={unload.error} />}
    </>
  )
}
