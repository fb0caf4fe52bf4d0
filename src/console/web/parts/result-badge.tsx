import { Badge } from '@radix-ui/themes'

/** How an exchange or an attempt ended. The word says it; the colour only helps. */
export function ResultBadge({ result }: { readonly result: string }) {
  return <Badge color={colors[result] ?? 'red'}>{words[result] ?? result}</Badge>
}

const colors: Readonly<Record<string, 'green' | 'gray' | 'amber'>> = {
  complete: 'green',
  answered: 'green',
  'client-left': 'gray',
  'budget-stop': 'amber',
  open: 'amber',
}

const words: Readonly<Record<string, string>> = { open: 'under way' }
