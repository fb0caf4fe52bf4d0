/** Whoever writes down what an operator has to see at once. */
interface Log {
  fatal(facts: object, message: string): void
}

/** Books that do not add up are the operator's to look at, at once. */
export function reportMismatch(log: Log, wrong: { readonly holder: string }): void {
  log.fatal(
    wrong,
    'The balance of a holder is not the sum of its entries. What has a budget there is refused until "parley usage verify --repair" has put it right.',
  )
}
