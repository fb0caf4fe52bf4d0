import { attribute, errorTypeOf, metric, operationOf } from '#telemetry/traces/gen-ai.ts'

import type { AttemptSeries, ExchangeSeries } from './exchange-series.ts'
import type { Labels } from './family.ts'
import type { Source } from './source.ts'
import { joined } from './summed.ts'

const asClient = [
  attribute.operation,
  attribute.provider,
  attribute.requestModel,
  attribute.errorType,
]

/**
 * The metrics of the semantic conventions for generative AI: towards upstreams the gateway is a client, towards callers
 * a server. They are told over OTLP alone, and are made of what is counted anyway.
 */
export const genAiFamilies: readonly Source[] = [
  {
    name: metric.clientDuration,
    type: 'histogram',
    unit: 's',
    help: 'Duration of an operation, from the request to an upstream to its last word.',
    labels: asClient,
    read: ({ book }) => joined(book.attempts.values(), attemptLabels, (one) => one.duration),
  },
  {
    name: metric.clientTokens,
    type: 'histogram',
    unit: '{token}',
    help: 'Tokens of an operation, by kind.',
    labels: [...asClient, attribute.tokenType],
    read: ({ book }) => {
      const asked = [...book.exchanges.values()].filter(({ labels }) => labels.target !== 'none')
      return [
        ...joined(asked, tokenLabels('input'), (one) => one.inputTokens),
        ...joined(asked, tokenLabels('output'), (one) => one.outputTokens),
      ]
    },
  },
  {
    name: metric.serverDuration,
    type: 'histogram',
    unit: 's',
    help: 'Duration of an exchange, as its caller sees it.',
    labels: asClient,
    read: ({ book }) => joined(book.exchanges.values(), serverLabels, (one) => one.duration),
  },
  {
    name: metric.firstToken,
    type: 'histogram',
    unit: 's',
    help: 'Time to the first words of a stream.',
    labels: asClient,
    read: ({ book }) => joined(streams(book.exchanges), serverLabels, (one) => one.firstByte),
  },
  {
    name: metric.perToken,
    type: 'histogram',
    unit: 's',
    help: 'Time for each token of a stream after the first.',
    labels: asClient,
    read: ({ book }) => joined(streams(book.exchanges), serverLabels, (one) => one.perToken),
  },
]

function streams(exchanges: ReadonlyMap<string, ExchangeSeries>): ExchangeSeries[] {
  return [...exchanges.values()].filter(({ labels }) => labels.stream)
}

function attemptLabels({ labels }: AttemptSeries): Labels {
  return {
    [attribute.operation]: operationOf(labels.endpoint),
    [attribute.provider]: labels.provider,
    [attribute.requestModel]: modelIn(labels.target),
    ...failed(labels.result),
  }
}

function tokenLabels(kind: string): (one: ExchangeSeries) => Labels {
  return ({ labels }) => ({
    [attribute.operation]: operationOf(labels.endpoint),
    [attribute.provider]: labels.provider,
    [attribute.requestModel]: modelIn(labels.target),
    [attribute.tokenType]: kind,
    ...failed(labels.result),
  })
}

function serverLabels({ labels }: ExchangeSeries): Labels {
  return {
    [attribute.operation]: operationOf(labels.endpoint),
    [attribute.provider]: labels.provider,
    [attribute.requestModel]: labels.model,
    ...failed(labels.result),
  }
}

function failed(result: string): Labels {
  const type = errorTypeOf(result)
  return type === undefined ? {} : { [attribute.errorType]: type }
}

/** An upstream's name has no slash in it. */
function modelIn(target: string): string {
  return target.slice(target.indexOf('/') + 1)
}
