/** How long something is remembered that another process may change meanwhile (contract, section 2). */
const rememberedMs = 1_000
const maxRemembered = 10_000

interface Entry<Found> {
  readonly found: Found
  /** When the look-up that found it began, on the clock of `performance.now()`. */
  readonly askedAt: number
}

/** What was looked up within the last second, and is not known to have changed since. */
export const makeRemembered = <Found>() => {
  let entries = new Map<string, Entry<Found>>()
  return {
    /** What is remembered of a key, or else found by `lookUp`; undefined when there is nothing. */
    async get(key: string, lookUp: (key: string) => Promise<Found | undefined>): Promise<Found | undefined> {
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
    /** Forgets one key. */
    forgetOne: (key: string) => void entries.delete(key),
    /** Forgets everything, also what look-ups that are under way will find. */
    forget: () => {
      entries = new Map()
    },
  }
}
export type Remembered<Found> = ReturnType<typeof makeRemembered<Found>>
