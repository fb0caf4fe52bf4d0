import { useAsk } from '#console/web/api/use-ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'

import { Workbench } from './playground/workbench.tsx'

/** Where models are tried out. */
export function Playground() {
  const models = useAsk('GET /api/models')
  const projects = useAsk('GET /api/projects')
  return (
    <Page
      title="Playground"
      description="Try models out by either protocol, as a client of the gateway, with its limits and its books."
    >
      <Answered query={models}>
        {({ models: all }) => (
          <Answered query={projects}>
            {({ projects: mine }) => {
              const open = mine.filter(({ archivedAt }) => archivedAt === undefined)
              if (all.length === 0) return <NoModels />
              if (open.length === 0) return <NoProjects />
              return <Workbench models={all} projects={open} />
            }}
          </Answered>
        )}
      </Answered>
    </Page>
  )
}

function NoModels() {
  return (
    <Empty
      title="There are no models yet."
      next={<TextLink to="/models">See the upstreams</TextLink>}
    >
      Add an upstream to the config, or switch the engine on.
    </Empty>
  )
}

function NoProjects() {
  return (
    <Empty title="There is no project to do this in.">
      Your account is bound to projects that were archived. An administrator can change that.
    </Empty>
  )
}
