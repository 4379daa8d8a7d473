import { Modal, Radio } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'

const paths = { packages: '/api/v1/packages/{id}/cancel', transfers: '/api/v1/transfers/{id}/cancel' } as const

interface CancelDialogProps {
  /** What is cancelled, whose texts it speaks in. */
  readonly kind: keyof typeof paths
  readonly row: { readonly id: number; readonly number: string }
  /** What may become of goods that have left, the usual first (docs/states.md); none where that is no question. */
  readonly dispositions: readonly ('restock' | 'return' | 'write_off')[]
  /** Code of the location that the goods belong to. */
  readonly from?: string
  readonly close: () => void
}

/** Ends a package or a transfer; where its goods have left it is said what becomes of them. */
export const CancelDialog = ({ kind, row: { id, number }, dispositions, from, close }: CancelDialogProps) => {
  const { t } = useTranslation(kind)
  const sending = useSend('post', paths[kind])
  const form = useForm({ initialValues: { disposition: dispositions[0] } })
  const save = ({ disposition }: typeof form.values): void =>
    sending.mutate(
      { path: { id }, body: disposition === undefined ? {} : { disposition } },
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
        <p className="muted">{t(dispositions.length > 0 ? 'cancel.why_left' : 'cancel.why', { from })}</p>
        {dispositions.length > 0 && (
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
