import { Code } from '@radix-ui/themes'
import { Link } from 'react-router'

/** Where what was done is to be looked at, if it is something that has a page. */
export function AuditObject({ object }: { readonly object: string }) {
  const [kind = '', id = ''] = object.split(/:(.*)/s)
  const page = pagesOf[kind]
  if (object === 'org') return <Link to="/organisation">organisation</Link>
  if (page === undefined || id === '') return <Code variant="ghost">{object}</Code>
  return (
    <Link to={`${page}${encodeURIComponent(id)}`} className="audit-object">
      {object}
    </Link>
  )
}

const pagesOf: Readonly<Record<string, string>> = {
  key: '/keys/',
  project: '/projects/',
  user: '/users/',
  exchange: '/exchanges?open=',
}
