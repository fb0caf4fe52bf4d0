import { Code } from '@radix-ui/themes'
import type { ReactNode } from 'react'

import { moneyText, tookText } from '#console/web/parts/amounts.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'

import type { AnswerTurn } from './conversation.ts'

/** How an answer went: times, tokens, cost, who answered, and where to look it up. */
export function AnswerFacts({ turn }: { readonly turn: AnswerTurn }) {
  const { exchange, firstMs, tookMs, stopReason, target, notes, requestId } = turn
  return (
    <dl className="play-facts">
      {firstMs !== undefined && <Fact name="First token">{tookText(firstMs)}</Fact>}
      {tookMs !== undefined && <Fact name="In all">{tookText(tookMs)}</Fact>}
      {exchange !== undefined && (
        <>
          <Fact name="Tokens">
            {inputOf(exchange).toLocaleString('en-US')} in,{' '}
            {(exchange.output ?? 0).toLocaleString('en-US')} out
          </Fact>
          <Fact name="Cost">{moneyText(exchange.cost)}</Fact>
        </>
      )}
      {stopReason !== '' && (
        <Fact name="Ended by">
          <Code variant="ghost">{stopReason}</Code>
        </Fact>
      )}
      {target !== undefined && (
        <Fact name="Target">
          <Code variant="ghost">{target}</Code>
        </Fact>
      )}
      {notes !== undefined && (
        <Fact name="Adapted">
          <Code variant="ghost">{notes}</Code>
        </Fact>
      )}
      {requestId !== undefined && (
        <Fact name="Request">
          {exchange === undefined ? (
            <Code variant="ghost">{requestId}</Code>
          ) : (
            <TextLink to={`/exchanges?open=${requestId}`}>
              {requestId.slice(0, shownOfId)}…
            </TextLink>
          )}
        </Fact>
      )}
    </dl>
  )
}

const shownOfId = 12

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{children}</dd>
    </div>
  )
}

function inputOf(exchange: NonNullable<AnswerTurn['exchange']>): number {
  return (exchange.input ?? 0) + (exchange.cacheRead ?? 0) + (exchange.cacheWrite ?? 0)
}
