import { useState, type FocusEvent, type KeyboardEvent } from 'react'

/**
 * Makes one stop of Tab of several links or buttons, such as the bars of a chart: the arrows, Home and End go between them,
 * and Tab comes back to the one that was left.
 * @param first the one that is come to at first
 */
export const useOneStop = (count: number, first: number) => {
  const [chosen, choose] = useState(first)
  const at = Math.min(chosen, count - 1)
  return {
    /** Of what holds them. */
    group: {
      onKeyDown: (event: KeyboardEvent): void => {
        const next = stopAfter(event, at, count)
        if (next === undefined) return
        event.preventDefault()
        stopsOf(event.currentTarget)[next]?.focus()
      },
      onFocus: ({ currentTarget, target }: FocusEvent): void => {
        const index = stopsOf(currentTarget).findIndex((stop) => stop === target)
        if (index >= 0) choose(index)
      },
    },
    /** Of each of them, in their order. */
    tabIndex: (index: number): 0 | -1 => (index === at ? 0 : -1),
  }
}

const stopsOf = (group: Element) => [...group.querySelectorAll<HTMLElement | SVGElement>('[tabindex]')]

/** Where a key leads from the stop at `at`; at the ends it stays. @returns undefined for a key that means nothing here */
export const stopAfter = (
  { key, altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>,
  at: number,
  count: number,
): number | undefined => {
  // With these the arrows are the browser's: Alt and Left go back.
  if (altKey || ctrlKey || metaKey) return undefined
  const wanted = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[key]
  return wanted === undefined ? undefined : Math.min(count - 1, Math.max(0, wanted))
}
