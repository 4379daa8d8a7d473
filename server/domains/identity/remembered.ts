/** How long something is remembered that another process may change meanwhile (contract, section 2). */
const rememberedMs = 1_000
const maxRemembered = 10_000

interface Entry<Found> {
  readonly finding: Promise<Found | undefined>
  /** When the look-up that found it began, on the clock of `performance.now()`. */
  readonly askedAt: number
}

/** What was looked up within the last second, or is being looked up, and is not known to have changed since. */
export const makeRemembered = <Found>() => {
  let entries = new Map<string, Entry<Found>>()
  return {
    /** What is remembered of a key, or else found by `lookUp`, once for all who ask meanwhile; undefined when there is nothing. */
    get(key: string, lookUp: (key: string) => Promise<Found | undefined>): Promise<Found | undefined> {
      const askedAt = performance.now()
      const known = entries.get(key)
      if (known !== undefined && askedAt - known.askedAt < rememberedMs) return known.finding
      if (entries.size >= maxRemembered) entries.clear()
      const entry = { finding: lookUp(key), askedAt }
      entries.set(key, entry)
      const forget = (): void => {
        if (entries.get(key) === entry) entries.delete(key)
      }
      entry.finding.then((found) => found === undefined && forget(), forget)
      return entry.finding
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

/** Looks everything up, for what must not act for somebody who lost their credential a moment ago. */
export const notRemembered = {
  get: <Found>(key: string, lookUp: (key: string) => Promise<Found | undefined>) => lookUp(key),
  forgetOne: (_key: string) => undefined,
}
