import { isTold, type Finished } from '../queue/finish.ts'
import { readFailures } from './read-failures.ts'
import { hasEnds, putOffEnds, takeEnds } from './take-ends.ts'

/** What ended badly, or well after all, for whoever keeps track of it outside the engine. */
export interface Ends {
  /** All three: see take-ends.ts. */
  readonly any: typeof hasEnds
  readonly take: typeof takeEnds
  readonly putOff: typeof putOffEnds
  /** See read-failures.ts. */
  readonly readFailures: typeof readFailures
  /** Calls back when this process has written ends that can be taken. Those of other processes are found by looking. */
  onEnded(listener: () => void): void
  /** Call after they are written. */
  readonly ended: (ended: readonly Finished[]) => void
}

export const makeEnds = (): Ends => {
  const listeners: (() => void)[] = []
  return {
    any: hasEnds,
    take: takeEnds,
    putOff: putOffEnds,
    readFailures,
    onEnded: (listener) => {
      listeners.push(listener)
    },
    ended: (ended) => {
      if (ended.some(isTold)) for (const listener of listeners) listener()
    },
  }
}
