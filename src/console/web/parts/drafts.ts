/** What somebody typed into a form and has not saved. */
export interface Draft {
  readonly userId: string
  readonly fields: unknown
}

/**
 * What was typed when a session ended, so that whoever signs in again finds it where it was. It is in the memory of this
 * page alone, and gone when the page is closed.
 */
export class Drafts {
  readonly #byPlace = new Map<string, Draft>()

  keep(place: string, draft: Draft): void {
    this.#byPlace.set(place, draft)
  }

  forget(place: string): void {
    this.#byPlace.delete(place)
  }

  /** What this user typed there; what another one typed is forgotten. */
  find(place: string, userId: string): unknown {
    const draft = this.#byPlace.get(place)
    if (draft === undefined || draft.userId === userId) return draft?.fields
    this.forget(place)
    return undefined
  }
}

export const drafts = new Drafts()
