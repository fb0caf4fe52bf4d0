import type { ExchangeRecord } from '#chat/passage.ts'

/** Whoever wants to know of exchanges that have ended. */
export interface ExchangeObserver {
  /** Called once, when the account of the exchange is closed. Must not throw. */
  onExchange(record: ExchangeRecord): void
}
