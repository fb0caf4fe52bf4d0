import { Box } from '@radix-ui/themes'

import { useMe } from '#console/web/api/me.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Bytes } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { Facts } from '#console/web/parts/facts.tsx'
import { Page, Section } from '#console/web/parts/page.tsx'

import type { EngineStatus } from './engine/engine-model.ts'
import { LoadedModels } from './engine/loaded-models.tsx'
import { MemoryBar } from './engine/memory-bar.tsx'
import { ModelFiles } from './engine/model-files.tsx'
import { PullModel } from './engine/pull-model.tsx'

/** The engine is looked at again this often. */
const everyMs = 2000

/** The engine in this gateway: what is in memory, what is on disk, and how more comes. */
export function Engine() {
  const { may, seesAll } = useMe()
  const engine = useAsk('GET /api/engine', {}, { refetchInterval: everyMs })
  return (
    <Page title="Engine" description="The models that run in this gateway itself.">
      <Answered query={engine}>
        {(status) =>
          status.isOn ? (
            <>
              <Process status={status} />
              <Section title="In memory">
                <LoadedModels status={status} mayChange={may('operator') && seesAll} />
              </Section>
              <Files status={status} mayChange={may('operator') && seesAll} />
              {may('admin') && seesAll && (
                <Section title="Pull a model">
                  <PullModel />
                </Section>
              )}
            </>
          ) : (
            <Empty title="The engine is switched off.">
              The config says so: set engine.enabled to true to run models here.
            </Empty>
          )
        }
      </Answered>
    </Page>
  )
}

interface StatusProps {
  readonly status: EngineStatus
  readonly mayChange: boolean
}

function Files({ status, mayChange }: StatusProps) {
  const files = useAsk('GET /api/engine/models', {}, { refetchInterval: 5 * everyMs })
  return (
    <Section title="On disk">
      <Answered query={files}>
        {({ models }) => <ModelFiles files={models} status={status} mayChange={mayChange} />}
      </Answered>
    </Section>
  )
}

function Process({ status }: Pick<StatusProps, 'status'>) {
  const { pid, losses, gpu, threads, residentBytes, models, freeBytes } = status
  const taken = models.reduce((sum, { facts }) => sum + (facts?.memoryBytes ?? 0), 0)
  return (
    <Section title="Process">
      <Box mb="3">
        <MemoryBar takenBytes={taken} freeBytes={freeBytes} />
      </Box>
      <Facts
        facts={[
          [
            'State',
            pid === null ? 'Not running: it starts when it is needed' : `Runs as process ${pid}`,
          ],
          ['Computes on', pid === null ? undefined : gpu || 'the processor'],
          ['Threads', threads ?? undefined],
          [
            'Memory of the process',
            residentBytes === null ? undefined : <Bytes key="bytes" count={residentBytes} />,
          ],
          ['Ended by itself', losses === 0 ? 'never' : `${losses} times; the log says why`],
        ]}
      />
    </Section>
  )
}
