import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { CopyText } from '#ui/copy.tsx'
import { Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { secretOf } from './flow-queries.ts'

/** How long the old secret signs beside the new one. */
const overlapHours = 24

/** What signs the data of a flow; a new secret is shown once, and the old one signs beside it for a day. */
export const FlowSecret = ({ id }: { readonly id: number }) => {
  const { t } = useTranslation('flows')
  const { data } = useQuery(secretOf(id))
  const rotating = useSend('post', '/api/nifi/flows/{flowId}/secret')
  const revoking = useSend('delete', '/api/nifi/flows/{flowId}/secret/previous')
  if (data === undefined) return <Skeleton />
  const path = { flowId: id }
  const made = rotating.data?.secret ?? ''
  return (
    <div className="flex wrap">
      <span className="mono">{data.secret ?? t('secret.none')}</span>
      {data.previous_valid_until !== null && (
        <>
          <span className="muted">
            {t('secret.previous')} <Time at={data.previous_valid_until} as="moment" />
          </span>
          <Action
            variant="subtle"
            loading={revoking.isPending}
            onClick={() => revoking.mutate({ path }, { onError: toastFailed })}
          >
            {t('secret.revoke')}
          </Action>
        </>
      )}
      <Action
        variant="subtle"
        loading={rotating.isPending}
        onClick={() => rotating.mutate({ path, body: { overlap_hours: overlapHours } }, { onError: toastFailed })}
      >
        {t(data.secret === null ? 'secret.make' : 'secret.change')}
      </Action>
      {data.secret !== null && <span className="muted">{t('secret.overlap', { hours: overlapHours })}</span>}
      <Modal opened={made !== ''} onClose={rotating.reset} title={t('secret.made')}>
        <div className="stack">
          <p className="muted">{t('secret.once')}</p>
          <pre>{made}</pre>
          <CopyText text={made} />
        </div>
      </Modal>
    </div>
  )
}
