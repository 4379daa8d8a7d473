import { useTranslation } from 'react-i18next'
import { useLiveState, wakeLive } from '#api/live.ts'
import { Action } from '#ui/action.tsx'
import { useNow } from '#ui/now.ts'
import { formatClock } from '#ui/texts/format.ts'
import classes from './frame.module.css'

/** A server that starts again is there after some seconds. */
const patienceMs = 8_000

/** Says that the server does not answer, since when, and that nothing is lost by it. */
export const Silence = () => {
  const { t } = useTranslation('shell')
  const { isLive, isAnswered, since } = useLiveState()
  const now = useNow().getTime()
  if (isLive || isAnswered || now - since < patienceMs) return <div role="status" />
  return (
    <div role="status" className={classes['silence']}>
      <span className="grow">{t('live.silence', { since: formatClock(new Date(since)) })}</span>
      <Action variant="subtle" onClick={wakeLive}>
        {t('live.try')}
      </Action>
    </div>
  )
}
