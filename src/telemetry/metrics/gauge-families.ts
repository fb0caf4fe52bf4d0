import type { Labels, Sample } from './family.ts'
import type { EngineNow } from './snapshot.ts'
import type { Source } from './source.ts'

const noLabels: Labels = {}

function one(value: number): Sample[] {
  return [{ labels: noLabels, value }]
}

/** How the parts are now, and what telemetry measures by itself. */
export const gaugeFamilies: readonly Source[] = [
  {
    name: 'parley_in_flight',
    type: 'gauge',
    unit: '{exchange}',
    help: 'Exchanges that have not been answered in full.',
    labels: [],
    read: ({ now }) => one(now.inFlight),
  },
  {
    name: 'parley_streams_open',
    type: 'gauge',
    unit: '{stream}',
    help: 'Streams that have begun and not ended.',
    labels: [],
    read: ({ now }) => one(now.streams),
  },
  {
    name: 'parley_breaker_state',
    type: 'gauge',
    unit: '1',
    help: 'Of every target that was asked: 1 for the state of its breaker, 0 for the two others.',
    labels: ['target', 'state'],
    read: ({ now }) =>
      now.targets.flatMap(({ upstream, model, breaker }) =>
        ['closed', 'open', 'half-open'].map((state) => ({
          labels: { target: `${upstream}/${model}`, state },
          value: state === breaker ? 1 : 0,
        })),
      ),
  },
  {
    name: 'parley_target_in_flight',
    type: 'gauge',
    unit: '{exchange}',
    help: 'Answers that a target has under way.',
    labels: ['target'],
    read: ({ now }) =>
      now.targets.map(({ upstream, model, inFlight }) => ({
        labels: { target: `${upstream}/${model}` },
        value: inFlight,
      })),
  },
  {
    name: 'parley_target_latency_seconds',
    type: 'gauge',
    unit: 's',
    help: 'How long a target takes to begin, recent and slow answers weighing most: what routing goes by.',
    labels: ['target'],
    read: ({ now }) =>
      now.targets.flatMap(({ upstream, model, latencyMs }) =>
        latencyMs === undefined
          ? []
          : [{ labels: { target: `${upstream}/${model}` }, value: latencyMs / 1000 }],
      ),
  },
  {
    name: 'parley_engine_up',
    type: 'gauge',
    unit: '1',
    help: 'Whether the process of the engine runs. It starts when somebody needs it.',
    labels: [],
    read: ({ now: { engine } }) => (engine === undefined ? [] : one(engine.isRunning ? 1 : 0)),
  },
  {
    name: 'parley_engine_losses_total',
    type: 'counter',
    unit: '{process}',
    help: 'Processes of the engine that died or hung.',
    labels: [],
    read: ({ now: { engine } }) => (engine === undefined ? [] : one(engine.losses)),
  },
  {
    name: 'parley_engine_resident_bytes',
    type: 'gauge',
    unit: 'By',
    help: 'Memory of the process of the engine.',
    labels: [],
    read: ({ now: { engine } }) =>
      engine?.residentBytes === undefined ? [] : one(engine.residentBytes),
  },
  {
    name: 'parley_engine_waiting',
    type: 'gauge',
    unit: '{exchange}',
    help: 'Exchanges that wait for their turn at a model of the engine.',
    labels: ['model'],
    read: ({ now: { engine } }) => ofModels(engine, ({ waiting }) => waiting),
  },
  {
    name: 'parley_engine_working',
    type: 'gauge',
    unit: '{sequence}',
    help: 'Sequences of a model of the engine that are at work.',
    labels: ['model'],
    read: ({ now: { engine } }) => ofModels(engine, ({ working }) => working),
  },
  {
    name: 'parley_engine_sequences',
    type: 'gauge',
    unit: '{sequence}',
    help: 'Sequences that a loaded model of the engine has.',
    labels: ['model'],
    read: ({ now: { engine } }) => ofModels(engine, ({ facts }) => facts?.sequences),
  },
  {
    name: 'parley_engine_model_bytes',
    type: 'gauge',
    unit: 'By',
    help: 'Memory that a loaded model of the engine takes, its context included.',
    labels: ['model'],
    read: ({ now: { engine } }) => ofModels(engine, ({ facts }) => facts?.memoryBytes),
  },
  {
    name: 'parley_ledger_queue',
    type: 'gauge',
    unit: '{row}',
    help: 'Rows that wait to be written to the ledger.',
    labels: [],
    read: ({ now }) => one(now.ledger.queue),
  },
  {
    name: 'parley_ledger_failed',
    type: 'gauge',
    unit: '1',
    help: 'Whether the ledger cannot be written, so that nothing is answered.',
    labels: [],
    read: ({ now }) => one(now.ledger.isFailed ? 1 : 0),
  },
  {
    name: 'parley_ledger_commit_seconds',
    type: 'histogram',
    unit: 's',
    help: 'How long the ledger took to have a batch of rows on disk.',
    labels: [],
    read: ({ own }) => [{ labels: noLabels, value: own.commits }],
  },
  {
    name: 'parley_database_bytes',
    type: 'gauge',
    unit: 'By',
    help: 'Size of the files of the database: `main`, and `wal` for what was not merged into it yet.',
    labels: ['file'],
    read: ({ now }) =>
      Object.entries(now.databaseBytes).map(([file, value]) => ({ labels: { file }, value })),
  },
  {
    name: 'parley_event_loop_lag_seconds',
    type: 'histogram',
    unit: 's',
    help: 'How much later than it should a timer of every second came.',
    labels: [],
    read: ({ own }) => [{ labels: noLabels, value: own.loopLag }],
  },
  {
    name: 'parley_telemetry_series_dropped_total',
    type: 'counter',
    unit: '{exchange}',
    help: 'How often something was counted under `other` because there were too many sets of labels.',
    labels: [],
    read: ({ own }) => one(own.seriesDropped),
  },
  {
    name: 'parley_telemetry_spans_total',
    type: 'counter',
    unit: '{span}',
    help: 'Spans that were handed to the exporter, and exchanges that got none because there were too many to record.',
    labels: ['result'],
    read: ({ own: { spans } }) => [
      { labels: { result: 'recorded' }, value: spans.recorded },
      { labels: { result: 'dropped' }, value: spans.dropped },
    ],
  },
  {
    name: 'parley_telemetry_exports_total',
    type: 'counter',
    unit: '{export}',
    help: 'Batches that were sent over OTLP, by signal and result.',
    labels: ['signal', 'result'],
    read: ({ own }) =>
      own.exports.map(({ signal, result, count }) => ({
        labels: { signal, result },
        value: count,
      })),
  },
  {
    name: 'parley_build_info',
    type: 'gauge',
    unit: '1',
    help: 'Always 1: which version runs, on which runtime.',
    labels: ['version', 'bun'],
    read: ({ own: { version } }) => [{ labels: { version, bun: Bun.version }, value: 1 }],
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    unit: 'By',
    help: 'Memory of the process of the gateway, without the engine.',
    labels: [],
    read: ({ now }) => one(now.process.residentBytes),
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    unit: 's',
    help: 'Processor time of the process of the gateway, without the engine.',
    labels: [],
    read: ({ now }) => one(now.process.cpuSeconds),
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    unit: 's',
    help: 'When the process of the gateway was started, in Unix seconds.',
    labels: [],
    read: ({ now }) => one(now.process.startedAt),
  },
]

type EngineModel = EngineNow['models'][number]

function ofModels(
  engine: EngineNow | undefined,
  valueOf: (model: EngineModel) => number | undefined,
): Sample[] {
  return (engine?.models ?? []).flatMap((model) => {
    const value = valueOf(model)
    return value === undefined ? [] : [{ labels: { model: model.name }, value }]
  })
}
