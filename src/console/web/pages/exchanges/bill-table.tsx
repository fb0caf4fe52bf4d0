import { Text } from '@radix-ui/themes'

import { Money, moneyText, Nothing, Tokens } from '#console/web/parts/amounts.tsx'
import { DataTable } from '#console/web/parts/data-table.tsx'

import { besideTokens, type BillLine, billOf } from './bill.ts'
import type { EndedExchange } from './opened-exchange.ts'

/** Tokens by their kinds, each at the price that was in force when the exchange ended. */
export function Bill({ exchange }: { readonly exchange: EndedExchange }) {
  const { price, cost } = exchange
  const lines = billOf(exchange, price).filter(({ tokens }) => tokens !== null)
  return (
    <>
      <DataTable
        caption="Tokens and cost"
        rows={withRest(lines, price === null ? 0 : besideTokens(lines, cost))}
        idOf={({ label }) => label}
        columns={[
          { id: 'kind', title: 'Kind', cell: ({ label }) => label },
          {
            id: 'tokens',
            title: 'Tokens',
            isNumber: true,
            cell: ({ tokens }) => <Tokens count={tokens} />,
          },
          {
            id: 'price',
            title: 'Price per million',
            isNumber: true,
            cell: ({ price: each }) => <Money micro={each} />,
          },
          {
            id: 'cost',
            title: 'Cost',
            isNumber: true,
            cell: (line) => (line.cost === null ? <Nothing /> : moneyText(Math.round(line.cost))),
          },
        ]}
        empty={
          <Text as="p" size="2" color="gray">
            Nobody counted any tokens.
          </Text>
        }
      />
      <Text as="p" size="1" color="gray" mt="2">
        {words(exchange)}
      </Text>
    </>
  )
}

/** Less than this is only what rounding makes. */
const leastShown = 1

function withRest(lines: readonly BillLine[], rest: number): readonly BillLine[] {
  if (Math.abs(rest) < leastShown) return lines
  const label = rest > 0 ? 'Images and the request itself' : 'Not charged: more than was held'
  return [...lines, { label, tokens: null, price: null, cost: rest }]
}

function words({ price, counted, held, excess, corrected }: EndedExchange): string {
  const source = price?.['source']
  const since = price?.['since']
  const said = [
    price === null
      ? 'There was no price for this target, so it cost nothing.'
      : `Charged at the price of ${String(source)}, in force since ${String(since)}.`,
    countWords[counted] ?? '',
    held > 0 ? `${moneyText(held)} were held before the first byte went upstream.` : '',
    excess > 0 ? `The upstream will bill about ${moneyText(excess)} beyond that.` : '',
    corrected === 0 ? '' : `${moneyText(corrected)} were corrected afterwards.`,
  ]
  return said.filter((sentence) => sentence !== '').join(' ')
}

const countWords: Readonly<Record<string, string>> = {
  exact: 'The tokens are those that the upstream counted.',
  estimated: 'The tokens are estimated from the text: the upstream did not count them.',
  none: 'No tokens were counted.',
}
