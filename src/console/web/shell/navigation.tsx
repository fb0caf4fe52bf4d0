import { NavLink } from 'react-router'

import { useMe } from '#console/web/api/me.ts'
import { type PageEntry, pages } from '#console/web/pages.ts'

/** The pages that are for whoever is signed in. On narrow screens it is shown by the button of the top bar. */
export function Navigation({ onLeave }: { readonly onLeave?: () => void }) {
  const { may, seesAll } = useMe()
  const mine = pages.filter(
    ({ icon, role, isWhole }) => icon !== undefined && may(role) && (isWhole !== true || seesAll),
  )
  return (
    <nav className="shell-navigation" aria-label="Pages">
      <ul>
        {mine.map((entry) => (
          <li key={entry.path}>
            <NavLink to={entry.path} end={entry.path === '/'} onClick={() => onLeave?.()}>
              <PageSign entry={entry} />
              {entry.title}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PageSign({ entry: { icon: Icon } }: { readonly entry: PageEntry }) {
  if (Icon === undefined) return null
  return (
    <span className="shell-sign" aria-hidden="true">
      <Icon />
    </span>
  )
}
