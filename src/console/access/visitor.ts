/** Where a request comes from. */
export interface Visitor {
  readonly address: string
  readonly agent: string | undefined
  /** From this machine, under a name that only this machine has. */
  readonly isLocal: boolean
  /** Whether what is sent cannot be read on its way: https, or this machine. */
  readonly isPrivate: boolean
  readonly isHttps: boolean
}
