import { useSyncExternalStore } from 'react'

const everyMs = 10_000
const listeners = new Set<() => void>()
let now = new Date()
let timer: number | undefined

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= window.setInterval(() => {
    now = new Date()
    for (const one of listeners) one()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

/** The time, renewed every ten seconds for all who show it. */
export const useNow = (): Date => useSyncExternalStore(subscribe, () => now)
