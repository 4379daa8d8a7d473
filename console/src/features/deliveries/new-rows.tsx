import { UnstyledButton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '#api/live.ts'
import type { Search } from '#ui/list/filters.ts'
import { useShortcut } from '#ui/shortcuts.ts'
import { isOfList } from './live-match.ts'
import classes from './new-rows.module.css'

interface NewRowsProps {
  readonly search: Search
  /** Ids that stand in the list already. */
  readonly shown: readonly number[]
  /** Ids that the list knows of and does not show. */
  readonly waiting: readonly number[]
  readonly show: () => Promise<void>
}

/** More than these are not counted one by one. */
const most = 10_000

/** "12 new": what came since the rows were shown. A press, or `n`, shows it. */
export const NewRows = ({ search, shown, waiting, show }: NewRowsProps) => {
  const { t } = useTranslation('texts')
  const { count, isMore, forget } = useCountOfNew(search, shown, waiting)
  const press = (): void => {
    forget()
    void show()
  }
  useShortcut('n', 'deliveries:keys.new', count > 0 ? press : undefined)
  return (
    <span aria-live="off">
      {count > 0 && (
        <UnstyledButton className={classes['pill']} onClick={press} aria-keyshortcuts="n">
          ↑ {t('list.new', { count })}
          {isMore && '+'}
        </UnstyledButton>
      )}
    </span>
  )
}

/** Counts what the stream tells, at most once for each frame that is drawn. */
const useCountOfNew = (search: Search, shown: readonly number[], waiting: readonly number[]) => {
  const ids = useRef(new Set<string>())
  const frame = useRef<number>(undefined)
  const [heard, setHeard] = useState({ size: 0, isMore: false })
  useEffect(() => () => window.cancelAnimationFrame(frame.current ?? 0), [])
  useLive('delivery', ({ items, isCut }) => {
    const known = new Set(shown.map(String))
    for (const item of items)
      if (ids.current.size < most && isOfList(item, search) && !known.has(String(item.id)))
        ids.current.add(String(item.id))
    frame.current ??= window.requestAnimationFrame(() => {
      frame.current = undefined
      const isMore = ids.current.size >= most
      setHeard((before) => ({
        size: ids.current.size,
        isMore: before.isMore || isMore || (isCut && ids.current.size > 0),
      }))
    })
  })
  const forget = (): void => {
    ids.current.clear()
    setHeard({ size: 0, isMore: false })
  }
  return { count: Math.max(heard.size, waiting.length), isMore: heard.isMore, forget }
}
