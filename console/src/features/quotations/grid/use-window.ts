import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState, type RefObject } from 'react'

/** Of a desk, and of a finger. */
const heights = { desk: 36, phone: 44 }
/** Rows that are drawn above and below those that are seen, so that a fast scroll meets rows. */
const beyond = 24
/** The window moves by so many rows at a time. */
const step = 8

interface Window {
  readonly first: number
  /** The row after the last. */
  readonly end: number
  /** Rows that are seen at once. */
  readonly page: number
  readonly rowHeight: number
}

/** Which rows of a box that scrolls are drawn; all of them are as high. */
export const useWindow = (box: RefObject<HTMLElement | null>, count: number): Window => {
  const rowHeight = useMediaQuery('(max-width: 700px)') ? heights.phone : heights.desk
  const [{ top, height }, measure] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const read = (): void => {
      const row = Math.floor(element.scrollTop / rowHeight / step) * step
      measure((known) =>
        known.top === row && known.height === element.clientHeight ? known : { top: row, height: element.clientHeight },
      )
    }
    read()
    element.addEventListener('scroll', read, { passive: true })
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', read)
      observer.disconnect()
    }
  }, [box, rowHeight])
  const seen = Math.ceil(height / rowHeight)
  return {
    rowHeight,
    first: Math.max(0, Math.min(top, count - 1) - beyond),
    end: Math.min(count, top + step + seen + beyond),
    page: Math.max(1, seen - 2),
  }
}
