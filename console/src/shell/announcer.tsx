import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { rememberPlace } from './palette/recent-places.ts'

/** The title is set by the page itself, which comes after this. */
const settleMs = 100
const longestMs = 3_000

/** Tells a screen reader the title of each page that is gone to, and puts the focus at its beginning. */
export const Announcer = () => {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const [title, setTitle] = useState('')
  const before = useRef(path)
  useEffect(() => {
    const isFirst = before.current === undefined
    before.current = path
    const began = performance.now()
    const timer = window.setInterval(() => {
      const heading = document.querySelector<HTMLElement>('#page h1')
      if (heading === null && performance.now() - began < longestMs) return
      window.clearInterval(timer)
      setTitle(document.title)
      rememberPlace({ path: location.pathname + location.search, title: document.title.replace(/ · Waybill$/, '') })
      // Whoever has just opened the page begins with the link that skips to it.
      const isOutside = document.activeElement === document.body || document.activeElement === null
      if (isOutside && !isFirst) heading?.focus({ preventScroll: true })
    }, settleMs)
    return () => window.clearInterval(timer)
  }, [path])
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true">
      {title}
    </div>
  )
}
