import { useEffect, useRef } from 'react'

export interface Shortcut {
  /** What is pressed: one character, or two in a row such as `g d`. */
  readonly keys: string
  /** Key of the text that says what it does, with its namespace. */
  readonly text: string
}

interface Registered extends Shortcut {
  readonly run: () => void
}

const registered = new Set<Registered>()
/** How long the second key of two may take. */
const pairMs = 1_000
let first: { readonly key: string; readonly at: number } | undefined

/** What works on the screen now, for the page of shortcuts. */
export const currentShortcuts = (): readonly Shortcut[] =>
  [...new Map([...registered].map((one) => [one.keys, one])).values()].toSorted((a, b) => a.keys.localeCompare(b.keys))

/** What takes keys for itself; a dialog also hides what they would act on. */
const ownKeys = 'input,textarea,select,[role="menu"],[role="listbox"],[role="dialog"]'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(ownKeys) !== null)

/** Runs what a key stands for; the newest that registered it wins. To be called once, when the page starts. */
export const listenForShortcuts = (): void => {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
    const now = performance.now()
    const pair = first !== undefined && now - first.at < pairMs ? `${first.key} ${event.key}` : undefined
    first = { key: event.key, at: now }
    const all = [...registered].toReversed()
    const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === event.key)
    if (found === undefined) return
    first = undefined
    event.preventDefault()
    found.run()
  })
}

/** A key that works while the component is on the screen, except while somebody types. */
export const useShortcut = (keys: string, text: string, run: (() => void) | undefined): void => {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  const isOn = run !== undefined
  useEffect(() => {
    if (!isOn) return undefined
    const one: Registered = { keys, text, run: () => latest.current?.() }
    registered.add(one)
    return () => void registered.delete(one)
  }, [keys, text, isOn])
}
