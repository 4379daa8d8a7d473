/** How many URLs are remembered: more than a process has busy subscriptions. */
const maxKnown = 4_096

/** Reads each URL once: the same few come back with every delivery. */
export const rememberEach = <T>(read: (url: string) => T): ((url: string) => T) => {
  const known = new Map<string, T>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined) return before
    const [oldest] = known.keys()
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
    const made = read(url)
    known.set(url, made)
    return made
  }
}
