import type { AttemptSeries, ExchangeSeries } from './exchange-series.ts'
import type { Labels, Sample } from './family.ts'
import { gaugeFamilies } from './gauge-families.ts'
import type { RequestSeries } from './series-book.ts'
import type { Figures, Source } from './source.ts'
import { joined, summed } from './summed.ts'

const whose = ['project', 'key'] as const

/** What exchanges, attempts and answers add up to. */
const countedFamilies: readonly Source[] = [
  {
    name: 'parley_requests_total',
    type: 'counter',
    unit: '{request}',
    help: 'Answers by path, status and, where they are failures, code: refused ones too.',
    labels: ['endpoint', 'protocol', 'status', 'code'],
    read: ({ book }) => summed(book.requests.values(), requestLabels, (one) => one.requests),
  },
  {
    name: 'parley_overhead_seconds',
    type: 'histogram',
    unit: 's',
    help: 'What the gateway itself took up to the head of its answer: without the upstream, the queue and the upload.',
    labels: ['endpoint', 'protocol'],
    read: ({ book }) =>
      joined(
        book.requests.values(),
        ({ labels: { endpoint, protocol } }) => ({ endpoint, protocol }),
        (one) => one.overhead,
      ),
  },
  {
    name: 'parley_exchanges_total',
    type: 'counter',
    unit: '{exchange}',
    help: 'Exchanges that have ended, as the ledger has them.',
    labels: ['endpoint', 'protocol', 'model', 'target', 'result', ...whose],
    read: ({ book }) => summed(book.exchanges.values(), exchangeLabels, (one) => one.exchanges),
  },
  {
    name: 'parley_tokens_total',
    type: 'counter',
    unit: '{token}',
    help: 'Tokens by kind. What a cache read or wrote is not in `input`; `reasoning` is part of `output`.',
    labels: ['model', 'target', 'kind', ...whose],
    read: ({ book }) => tokenKinds.flatMap(([kind, count]) => tokensOf(book, kind, count)),
  },
  {
    name: 'parley_cost_microdollars_total',
    type: 'counter',
    unit: '{microdollar}',
    help: 'What exchanges cost by the price list, in millionths of a dollar.',
    labels: ['model', 'target', ...whose],
    read: ({ book }) => summed(book.exchanges.values(), modelLabels, (one) => one.cost),
  },
  {
    name: 'parley_estimated_exchanges_total',
    type: 'counter',
    unit: '{exchange}',
    help: 'Exchanges whose tokens had to be estimated.',
    labels: ['target'],
    read: ({ book }) => summed(book.exchanges.values(), targetOf, (one) => one.estimated),
  },
  {
    name: 'parley_adapted_exchanges_total',
    type: 'counter',
    unit: '{exchange}',
    help: 'Exchanges of which a translation adapted something.',
    labels: ['target'],
    read: ({ book }) => summed(book.exchanges.values(), targetOf, (one) => one.adapted),
  },
  {
    name: 'parley_exchange_duration_seconds',
    type: 'histogram',
    unit: 's',
    help: 'Exchanges from the opening of the account to the last word.',
    labels: ['endpoint', 'protocol', 'target', 'result'],
    read: ({ book }) =>
      joined(
        book.exchanges.values(),
        ({ labels: { endpoint, protocol, target, result } }) => ({
          endpoint,
          protocol,
          target,
          result,
        }),
        (one) => one.duration,
      ),
  },
  {
    name: 'parley_first_byte_seconds',
    type: 'histogram',
    unit: 's',
    help: 'From the opening of the account to the first word of a stream, or to the whole of a reply.',
    labels: ['target', 'stream'],
    read: ({ book }) =>
      joined(
        book.exchanges.values(),
        ({ labels: { target, stream } }) => ({ target, stream: String(stream) }),
        (one) => one.firstByte,
      ),
  },
  {
    name: 'parley_queue_seconds',
    type: 'histogram',
    unit: 's',
    help: 'How long exchanges waited for their turn at the engine.',
    labels: ['target'],
    read: ({ book }) => joined(book.exchanges.values(), targetOf, (one) => one.queue),
  },
  {
    name: 'parley_exchange_tokens',
    type: 'histogram',
    unit: '{token}',
    help: 'Tokens of one exchange: all of its input, caches included, and all of its output.',
    labels: ['target', 'kind'],
    read: ({ book }) => [
      ...joined(book.exchanges.values(), ofKind('input'), (one) => one.inputTokens),
      ...joined(book.exchanges.values(), ofKind('output'), (one) => one.outputTokens),
    ],
  },
  {
    name: 'parley_attempts_total',
    type: 'counter',
    unit: '{attempt}',
    help: 'Targets that were asked, by how that went: `answered`, or the code of the failure.',
    labels: ['target', 'result'],
    read: ({ book }) => summed(book.attempts.values(), attemptLabels, (one) => one.attempts),
  },
  {
    name: 'parley_retries_total',
    type: 'counter',
    unit: '{attempt}',
    help: 'How often a target that had failed was asked again.',
    labels: ['target'],
    read: ({ book }) => summed(book.attempts.values(), targetOf, (one) => one.retries),
  },
  {
    name: 'parley_fallbacks_total',
    type: 'counter',
    unit: '{attempt}',
    help: 'How often another target was asked in the place of this one, which had failed.',
    labels: ['target'],
    read: ({ book }) => summed(book.attempts.values(), targetOf, (one) => one.fallbacks),
  },
]

/** Every metric there is, in the order in which they are told. */
export const families: readonly Source[] = [...countedFamilies, ...gaugeFamilies]

const tokenKinds = [
  ['input', (one) => one.input],
  ['cache-read', (one) => one.cacheRead],
  ['cache-write', (one) => one.cacheWrite],
  ['output', (one) => one.output],
  ['reasoning', (one) => one.reasoning],
] as const satisfies readonly (readonly [string, (one: ExchangeSeries) => number])[]

function tokensOf(
  { exchanges }: Figures['book'],
  kind: string,
  count: (one: ExchangeSeries) => number,
): Sample[] {
  return summed(exchanges.values(), (one) => ({ ...modelLabels(one), kind }), count)
}

function requestLabels({ labels }: RequestSeries): Labels {
  return labels
}

function exchangeLabels(one: ExchangeSeries): Labels {
  const { endpoint, protocol, result } = one.labels
  return { endpoint, protocol, result, ...modelLabels(one) }
}

function modelLabels({ labels: { model, target, project, key } }: ExchangeSeries): Labels {
  return {
    model,
    target,
    ...(project !== undefined && { project }),
    ...(key !== undefined && { key }),
  }
}

function targetOf({ labels: { target } }: ExchangeSeries | AttemptSeries): Labels {
  return { target }
}

function ofKind(kind: string): (one: ExchangeSeries) => Labels {
  return ({ labels: { target } }) => ({ target, kind })
}

function attemptLabels({ labels: { target, result } }: AttemptSeries): Labels {
  return { target, result }
}
