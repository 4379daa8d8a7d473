import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'
import { Skeleton } from '#ui/states.tsx'

interface SignatureProps {
  readonly id: number
  /** Called when the reader goes to look. */
  readonly onLook: () => void
}

/** The headers by which a receiver knows that a delivery is genuine. */
export const Signature = ({ id, onLook }: SignatureProps) => {
  const { t } = useTranslation('home')
  const { data } = useQuery(recordOf('/whisperer/hook_events/{id}', { path: { id } }))
  if (data === undefined) return <Skeleton lines={3} />
  const headers = Object.entries(data.attempts.at(-1)?.request_headers ?? {}).filter(([name]) =>
    name.startsWith('webhook-'),
  )
  return (
    <>
      <p className="muted">{t('setup.signature.why')}</p>
      <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
      <p>
        <Link to={`/deliveries/${id}?tab=signature`} onClick={onLook}>
          {t('setup.signature.delivery')}
        </Link>
      </p>
    </>
  )
}
