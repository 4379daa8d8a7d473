import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

const lookEveryMs = 100
/** How long a page may take until its title stands. */
const settleMs = 2_000

/** Tells a screen reader the title of each page that is gone to, and puts the focus at its beginning. */
export const Announcer = () => {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const [title, setTitle] = useState('')
  const isFirst = useRef(true)
  useEffect(() => {
    if (path === undefined) return undefined
    const mayFocus = !isFirst.current
    isFirst.current = false
    const began = performance.now()
    const timer = window.setInterval(() => {
      if (performance.now() - began > settleMs) window.clearInterval(timer)
      setTitle(document.title)
      // The focus that the page of before had is nowhere when that is gone.
      if (mayFocus && document.activeElement === document.body)
        document.querySelector<HTMLElement>('#page h1')?.focus({ preventScroll: true })
    }, lookEveryMs)
    return () => window.clearInterval(timer)
  }, [path])
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true">
      {title}
    </div>
  )
}
