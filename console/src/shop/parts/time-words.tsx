import { useNow } from '#ui/now.ts'
import { formatNearDay, formatDue, formatMoment, formatRelative } from '#ui/texts/format.ts'

/** When something was: a distance within a day, before it the date. */
export const Ago = ({ at }: { readonly at: string }) => {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={formatMoment(moment)}>
      {formatRelative(moment, useNow())}
    </time>
  )
}

/** The same as a text, for sentences. */
export const useAgo = (at: string): string => formatRelative(new Date(at), useNow())

/** A day of the past. */
export const dayOf = (at: string): string => formatNearDay(new Date(at), new Date())

/** By when something has to be done: the day, and the hour where it is close. */
export const useDue = (at: string | null): string | undefined => {
  const now = useNow()
  return at === null ? undefined : formatDue(new Date(at), now)
}
