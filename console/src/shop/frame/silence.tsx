import { useTranslation } from 'react-i18next'
import { useLiveState, wakeLive } from '#api/live.ts'
import { useNow } from '#ui/now.ts'
import { formatHour } from '#ui/texts/format.ts'
import { Button } from '../parts/button.tsx'
import classes from './frame.module.css'

/** A server that starts again, and a phone between two networks, are there after some seconds. */
const patienceMs = 8_000

/** Says that there is no connection, since when, and that nothing is lost by it. */
export const Silence = () => {
  const { t } = useTranslation('shop')
  const { isLive, isAnswered, since } = useLiveState()
  const now = useNow().getTime()
  const isSilent = !isLive && !isAnswered && now - since >= patienceMs
  return (
    <div role="status" className={classes['silence']} data-screen-only>
      {isSilent && (
        <>
          <span>{t('silence', { since: formatHour(new Date(since)) })}</span>
          <Button kind="plain" onClick={wakeLive}>
            {t('again')}
          </Button>
        </>
      )}
    </div>
  )
}
