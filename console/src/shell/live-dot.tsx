import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { startLive, useLiveState } from '#api/live.ts'
import { keepFresh } from '#api/live/stale-queries.ts'
import { session } from '#api/session.ts'
import { formatClock } from '#ui/texts/format.ts'
import { useNow } from '#ui/now.ts'
import classes from './live-dot.module.css'

/** A stream that was just broken is most often there again before anybody has read that it was not. */
const blinkMs = 3_000

/** Listens to what changes for as long as the frame is shown, and says whether that works. */
export const LiveDot = () => {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  useEffect(() => {
    const ends = [startLive(() => void queries.invalidateQueries({ queryKey: session.queryKey })), keepFresh(queries)]
    return () => {
      for (const end of ends) end()
    }
  }, [queries])
  const { isLive, since } = useLiveState()
  const isNoticed = useNow().getTime() - since > blinkMs
  const text = isLive || !isNoticed ? t('live.on') : t('live.off', { since: formatClock(new Date(since)) })
  return (
    <span className={classes['live']} data-off={(!isLive && isNoticed) || undefined} role="status">
      {text}
    </span>
  )
}
