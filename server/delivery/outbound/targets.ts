import type { Guard } from './guard/guard.ts'

/** Where a request goes, or why it must not go there. */
export type Target =
  | { readonly problem: string }
  | { readonly problem: undefined; readonly origin: string; readonly path: string }

/** How many URLs are remembered: more than a process has busy subscriptions. */
const maxTargets = 4_096

/** Reads and judges URLs, each text once: the same few come back with every delivery. */
export const makeTargets = (guard: Guard): ((url: string) => Target) => {
  const known = new Map<string, Target>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined) return before
    const [oldest] = known.keys()
    if (known.size >= maxTargets && oldest !== undefined) known.delete(oldest)
    const target = targetOf(url, guard)
    known.set(url, target)
    return target
  }
}

const targetOf = (url: string, guard: Guard): Target => {
  const problem = guard.urlProblem(url)
  if (problem !== undefined) return { problem }
  const { origin, pathname, search } = new URL(url)
  return { problem: undefined, origin, path: pathname + search }
}
