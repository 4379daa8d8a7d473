import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Tells a screen reader the title of each page that is gone to, and puts the focus at its beginning. */
export const Announcer = () => {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const [title, setTitle] = useState('')
  useEffect(() => {
    // The title is set by the page itself, which renders after this.
    const timer = window.setTimeout(() => {
      setTitle(document.title)
      const isOutside = document.activeElement === document.body || document.activeElement === null
      if (isOutside) document.querySelector<HTMLElement>('#page h1')?.focus({ preventScroll: true })
    }, 100)
    return () => window.clearTimeout(timer)
  }, [path])
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true">
      {title}
    </div>
  )
}
