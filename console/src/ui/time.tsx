import { Tooltip } from '@mantine/core'
import { useNow } from './now.ts'
import { formatClock, formatDate, formatLogTime, formatMoment, formatRelative, formatUtc } from './texts/format.ts'

interface TimeProps {
  /** RFC 3339, as the API writes it; nothing is shown as a dash. */
  readonly at: string | null | undefined
  /**
   * relative: within a day as a distance. log: the same, and before it day and time. clock: the time of the day. moment: date
   * and time.
   */
  readonly as?: 'relative' | 'log' | 'clock' | 'moment' | 'date'
}

/** A time in the reader's zone; exact, and in UTC, on hover and focus. */
export const Time = ({ at, as = 'relative' }: TimeProps) => {
  const now = useNow()
  if (at === null || at === undefined) return <span className="muted">–</span>
  const moment = new Date(at)
  const text = {
    relative: () => formatRelative(moment, now),
    log: () => formatLogTime(moment, now),
    clock: () => formatClock(moment),
    moment: () => formatMoment(moment),
    date: () => formatDate(moment),
  }[as]()
  return (
    <Tooltip
      label={
        <span>
          {formatMoment(moment)}
          <br />
          {formatUtc(moment)}
        </span>
      }
    >
      <time dateTime={at} className="time">
        {text}
      </time>
    </Tooltip>
  )
}
