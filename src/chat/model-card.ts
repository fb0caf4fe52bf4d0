/** What is known of a model that can be asked for. */
export interface ModelCard {
  readonly id: string
  /** The upstream that listed it, or `parley` for a name from the config. */
  readonly upstream: string
  readonly ownedBy?: string
  /** Unix seconds. */
  readonly created?: number
  readonly displayName?: string
  readonly maxInput?: number
  readonly maxOutput?: number
}
