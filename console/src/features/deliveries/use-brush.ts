import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'

/** Parts of a histogram, both ends in it. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** Where a range was begun and where it is now. */
interface Drawn {
  readonly from: number
  readonly to: number
}

/** Picks a range of parts by dragging, or by the arrows (with shift: a longer one), Home, End and Enter; Escape lets go. */
export const useBrush = (count: number, pick: (range: Range) => void) => {
  const [drawn, draw] = useState<Drawn>()
  const isDragging = useRef(false)
  const within = (index: number): number => Math.min(count - 1, Math.max(0, index))
  const range: Range | undefined =
    drawn === undefined || count === 0
      ? undefined
      : { first: within(Math.min(drawn.from, drawn.to)), last: within(Math.max(drawn.from, drawn.to)) }
  const finish = (): void => {
    if (range !== undefined) pick(range)
    draw(undefined)
  }
  const partAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return within(Math.floor(((clientX - left) / width) * count))
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return
      isDragging.current = true
      event.currentTarget.setPointerCapture(event.pointerId)
      draw({ from: partAt(event), to: partAt(event) })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const part = partAt(event)
      if (!isDragging.current) draw({ from: part, to: part })
      else if (part !== drawn?.to) draw({ from: drawn?.from ?? part, to: part })
    },
    onPointerUp: (): void => {
      if (isDragging.current) finish()
      isDragging.current = false
    },
    onPointerCancel: (): void => {
      isDragging.current = false
      draw(undefined)
    },
    onPointerLeave: (): void => {
      if (!isDragging.current) draw(undefined)
    },
    onBlur: (): void => draw(undefined),
    onKeyDown: (event: KeyboardEvent): void => {
      const next = nextOf(event, drawn, count)
      if (next === undefined) return
      event.preventDefault()
      event.stopPropagation()
      if (next === 'pick') finish()
      else draw(next === 'none' ? undefined : { from: within(next.from), to: within(next.to) })
    },
  }
  return { range, handlers }
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
}

/** What a key makes of a range. @returns undefined for a key that means nothing here */
export const nextOf = (
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  drawn: Drawn | undefined,
  count: number,
): Drawn | 'pick' | 'none' | undefined => {
  if (key === 'Enter' && drawn !== undefined) return 'pick'
  if (key === 'Escape' && drawn !== undefined) return 'none'
  const step = steps[key]
  if (step === undefined) return undefined
  const to = drawn === undefined ? count - 1 : Math.min(count - 1, Math.max(0, drawn.to + step))
  return { from: shiftKey && drawn !== undefined ? drawn.from : to, to }
}
