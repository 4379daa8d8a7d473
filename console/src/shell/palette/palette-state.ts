import { useSyncExternalStore } from 'react'

export type Opened = 'search' | 'shortcuts' | undefined

let opened: Opened
const watchers = new Set<() => void>()

/** Opens the search or the list of shortcuts from anywhere; at most one is open. */
export const openPalette = (next: Opened): void => {
  opened = next
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

export const useOpened = (): Opened => useSyncExternalStore(watch, () => opened)
