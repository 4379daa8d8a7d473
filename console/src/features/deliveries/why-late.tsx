import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf, useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { Skeleton } from '#ui/states.tsx'
import { formatMoment } from '#ui/texts/format.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'

type Detail = Schema<'HookEventDetail'>

/** What the server says of why a delivery is where it is, with the step that comes next as a button. */
export const WhyLate = ({ delivery }: { readonly delivery: Detail }) => {
  const { t } = useTranslation('deliveries')
  const why = useExplanation(delivery)
  if (isDone(delivery)) return null
  return (
    <Notice
      title={t(delivery.status === 'failed' ? 'why_not' : 'why')}
      outcome={delivery.status === 'failed' ? 'bad' : 'wait'}
    >
      {why === undefined ? (
        <Skeleton lines={3} width="100%" />
      ) : (
        <div className="stack" style={{ gap: 8, marginTop: 4 }}>
          <p className="strong">{t(`verdict.${why.verdict}`)}</p>
          <p>{inReadersZone(why.summary)}</p>
          {why.advice !== null && <p>{why.advice}</p>}
          <div className="flex wrap">
            {!delivery.webhook.is_active && delivery.webhook.target_url !== null && (
              <Resume hook={delivery.webhook.id} />
            )}
            <EarlierOne summary={why.summary} />
            <Link to={`/hooks/${delivery.webhook.id}`}>{t('look_at_hook')}</Link>
          </div>
        </div>
      )}
    </Notice>
  )
}

/** What the server says of why a delivery is where it is; undefined of one that needs no explanation, and until it answers. */
export const useExplanation = (delivery: Detail): Schema<'Explanation'> | undefined => {
  const asked = recordOf('/whisperer/hook_events/{id}/explain', { path: { id: delivery.id } })
  return useQuery({ ...asked, enabled: !isDone(delivery) }).data
}

const isDone = ({ status, reason }: Detail): boolean => status === 'delivered' || reason === 'dropped'

const Resume = ({ hook }: { readonly hook: number }) => {
  const { t } = useTranslation('deliveries')
  const change = useSend('patch', '/whisperer/hooks/{id}')
  const set = (isActive: boolean, done: () => void): void =>
    change.mutate({ path: { id: hook }, body: { is_active: isActive } }, { onSuccess: done, onError: toastFailed })
  const undo = (): void => set(false, () => toastDone(t('hook_is_off')))
  return (
    <Action loading={change.isPending} onClick={() => set(true, () => toastDone(t('hook_is_on'), undo))}>
      {t('resume')}
    </Action>
  )
}

/** The delivery that this one waits for, which the server names in its sentence. */
const EarlierOne = ({ summary }: { readonly summary: string }) => {
  const { t } = useTranslation('deliveries')
  const id = /^Waits for delivery (\d+) /.exec(summary)?.[1]
  return id === undefined ? null : <Link to={`/deliveries/${id}`}>{t('look_at_earlier')}</Link>
}

/** The server speaks of moments in UTC; its reader has a zone. */
const inReadersZone = (text: string): string =>
  text.replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g, (_, day: string, time: string) =>
    formatMoment(new Date(`${day}T${time}Z`)),
  )
