import { useEffect, useRef, useSyncExternalStore } from 'react'
import { SharedStream, type LiveState, type Said } from './live/shared-stream.ts'
import type { LiveMessage, Topic } from './live/topics.ts'

export type { LiveState } from './live/shared-stream.ts'
export type { LiveItems, LiveMessage, Topic } from './live/topics.ts'

type AnyHandler = (message: LiveMessage<never>) => void

let stream: SharedStream | undefined
let state: LiveState = { isLive: false, isAnswered: true, since: Date.now() }
const watchers = new Set<() => void>()
const handlers = new Map<string, Set<AnyHandler>>()

const handle = (event: string, handler: AnyHandler): (() => void) => {
  const known = handlers.get(event) ?? new Set()
  handlers.set(event, known.add(handler))
  return () => void known.delete(handler)
}

const pass = ({ event, data }: Said): void => {
  const { items = [], is_cut: isCut = false } = JSON.parse(data) as { items?: never[]; is_cut?: boolean }
  for (const handler of handlers.get(event) ?? []) handler({ items, isCut })
}

/** Begins to listen, for as long as somebody is logged in. @returns how to end it */
export const startLive = (onRefused: () => void): (() => void) => {
  const onState = (next: LiveState): void => {
    state = next
    for (const watcher of watchers) watcher()
  }
  const started = new SharedStream({ onSaid: pass, onState, onRefused })
  stream = started
  return () => {
    started.end()
    stream = undefined
    onState({ isLive: false, isAnswered: true, since: Date.now() })
  }
}

/** Connects at once where the stream waits before it tries again. */
export const wakeLive = (): void => stream?.wake()

/** Runs whenever the stream begins or ends to work. @returns how to end it */
export const onLiveState = (watcher: (state: LiveState) => void): (() => void) => watch(() => watcher(state))

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Whether changes arrive as they happen, and since when. */
export const useLiveState = (): LiveState => useSyncExternalStore(watch, () => state)

export const liveState = (): LiveState => state

/** Runs for each message of a topic. @returns how to end it */
export const onLive = <T extends Topic>(topic: T, handler: (message: LiveMessage<T>) => void): (() => void) =>
  handle(topic, handler)

/** Runs when something may have been missed, so that what is shown has to be read again. @returns how to end it */
export const onMissed = (event: 'ready' | 'reset', handler: () => void): (() => void) => handle(event, handler)

/** Runs for each message of a topic while the component is on the screen: what just changed, in any tab of this browser. */
export const useLive = <T extends Topic>(topic: T, handler: (message: LiveMessage<T>) => void): void => {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => onLive(topic, (message) => latest.current(message)), [topic])
}
