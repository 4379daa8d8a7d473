import { useNow } from './now.ts'
import { formatDuration, formatMoment } from './texts/format.ts'

/** How long ago something began, as a duration; the moment on hover. */
export const Since = ({ at }: { readonly at: string }) => {
  const ms = useNow().getTime() - Date.parse(at)
  return (
    <time dateTime={at} title={formatMoment(new Date(at))}>
      {formatDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000))}
    </time>
  )
}
