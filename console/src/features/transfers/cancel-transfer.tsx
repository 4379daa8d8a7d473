import { Modal, Radio } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Body } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import type { Transfer } from './transfer-list.tsx'

type Disposition = NonNullable<NonNullable<Body<'post', '/api/v1/transfers/{id}/cancel'>>['disposition']>
const dispositions: readonly Disposition[] = ['return', 'write_off']

/** Ends a transfer; of goods that are on the way it is said what becomes of them (docs/states.md). */
export const CancelTransfer = ({
  transfer,
  from,
  close,
}: {
  readonly transfer: Transfer
  readonly from: string
  readonly close: () => void
}) => {
  const { t } = useTranslation('transfers')
  const sending = useSend('post', '/api/v1/transfers/{id}/cancel')
  const form = useForm<{ disposition: Disposition }>({ initialValues: { disposition: 'return' } })
  const isSent = transfer.status === 'in_transit'
  const { id, number } = transfer
  const save = (body: typeof form.values): void =>
    sending.mutate(
      { path: { id }, body: isSent ? body : {} },
      {
        onSuccess: () => {
          toastDone(t('done.cancel'))
          close()
        },
        onError: showErrors(form),
      },
    )
  return (
    <Modal opened onClose={close} title={t('cancel.title', { number })}>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <p className="muted">{t(isSent ? 'cancel.why_sent' : 'cancel.why', { from })}</p>
        {isSent && (
          <Radio.Group label={t('field.disposition')} {...form.getInputProps('disposition')}>
            <div className="stack" style={{ gap: 6, marginTop: 6 }}>
              {dispositions.map((value) => (
                <Radio key={value} value={value} label={t(`cancel.${value}`, { from })} size="xs" />
              ))}
            </div>
          </Radio.Group>
        )}
        <div>
          <Action main type="submit" loading={sending.isPending}>
            {t('cancel.submit')}
          </Action>
        </div>
      </form>
    </Modal>
  )
}
