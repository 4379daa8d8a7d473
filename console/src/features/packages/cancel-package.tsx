import { Modal, Radio } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Body } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import type { Package } from './package-list.tsx'

type Disposition = NonNullable<NonNullable<Body<'post', '/api/v1/packages/{id}/cancel'>>['disposition']>
const dispositions: readonly Disposition[] = ['restock', 'write_off']

/** Ends a package; of goods that were packed for refund it is said what becomes of them (docs/states.md). */
export const CancelPackage = ({ parcel, close }: { readonly parcel: Package; readonly close: () => void }) => {
  const { t } = useTranslation('packages')
  const sending = useSend('post', '/api/v1/packages/{id}/cancel')
  const form = useForm<{ disposition: Disposition }>({ initialValues: { disposition: 'restock' } })
  const isRefund = parcel.status === 'packed_for_refund'
  const { id, number } = parcel
  const save = (body: typeof form.values): void =>
    sending.mutate(
      { path: { id }, body: isRefund ? body : {} },
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
        <p className="muted">{t(isRefund ? 'cancel.why_refund' : 'cancel.why')}</p>
        {isRefund && (
          <Radio.Group label={t('field.disposition')} {...form.getInputProps('disposition')}>
            <div className="stack" style={{ gap: 6, marginTop: 6 }}>
              {dispositions.map((value) => (
                <Radio key={value} value={value} label={t(`cancel.${value}`)} size="xs" />
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
