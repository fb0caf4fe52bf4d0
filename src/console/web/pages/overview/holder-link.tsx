import { useAsk } from '#console/web/api/use-ask.ts'
import { TextLink } from '#console/web/parts/text-link.tsx'

/** Whose budget it is, by name, and the way there. */
export function HolderLink({ holder }: { readonly holder: string }) {
  const [kind, id = ''] = holder.split(':', 2)
  if (kind === 'key') return <KeyLink id={id} />
  if (kind === 'project') return <ProjectLink id={id} />
  return <>The organisation</>
}

function KeyLink({ id }: { readonly id: string }) {
  const { data } = useAsk('GET /api/keys/{id}', { params: { id } })
  return <TextLink to={`/keys/${id}`}>{data?.key.name ?? id}</TextLink>
}

function ProjectLink({ id }: { readonly id: string }) {
  const { data } = useAsk('GET /api/projects/{id}', { params: { id } })
  return <TextLink to={`/projects/${id}`}>Project {data?.project.name ?? id}</TextLink>
}
