/** How long something is remembered that another process may change meanwhile (contract, section 2). */
const rememberedMs = 1_000
const maxRemembered = 10_000

interface Entry<Found> {
  readonly found: Found
  /** When the look-up that found it began, on the clock of `performance.now()`. */
  readonly askedAt: number
}

/** What was looked up within the last second, and is not known to have changed since. */
export interface Remembered<Found> {
  /** What is remembered of a key, or else found by `lookUp`; undefined when there is nothing. */
  get(key: string, lookUp: (key: string) => Promise<Found | undefined>): Promise<Found | undefined>
  /** Forgets one key. */
  forgetOne(key: string): void
  /** Forgets everything, also what look-ups that are under way will find. */
  forget(): void
}

export const makeRemembered = <Found>(): Remembered<Found> => {
  let entries = new Map<string, Entry<Found>>()
  return {
    async get(key, lookUp) {
      const askedAt = performance.now()
      const entry = entries.get(key)
      if (entry !== undefined && askedAt - entry.askedAt < rememberedMs) return entry.found
      const since = entries
      const found = await lookUp(key)
      if (since.size >= maxRemembered) since.clear()
      // Into the entries of that time: they are dropped if something was forgotten since.
      if (found === undefined) since.delete(key)
      else since.set(key, { found, askedAt })
      return found
    },
    forgetOne: (key) => void entries.delete(key),
    forget: () => {
      entries = new Map()
    },
  }
}
