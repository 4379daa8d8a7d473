import { Modal, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastDone } from '#ui/toast.tsx'
import { versionOf, type Quotation } from './quotation.ts'
import { useToldStale } from './use-told-stale.ts'

interface RejectQuotationProps {
  readonly quotation: Quotation
  readonly close: () => void
}

/** Rejects a quotation, with a reason that the buyer reads. What was typed stays when it is refused. */
export const RejectQuotation = ({ quotation, close }: RejectQuotationProps) => {
  const { t } = useTranslation('quotations')
  const sending = useSend('post', '/api/v1/quotations/{id}/reject')
  const toldStale = useToldStale()
  const form = useForm({ initialValues: { reason: '' } })
  const { id, number } = quotation
  const refused = (error: ApiError): void => {
    form.setErrors(error.fields)
    if (!('reason' in error.fields)) toldStale(error)
  }
  const save = ({ reason }: typeof form.values): void =>
    sending.mutate(
      { path: { id }, ifMatch: versionOf(quotation), body: reason.trim() === '' ? {} : { reason: reason.trim() } },
      {
        onSuccess: () => {
          toastDone(t('done.reject'))
          close()
        },
        onError: refused,
      },
    )
  return (
    <Modal opened onClose={close} title={t('reject.title', { number })}>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <Textarea
          label={t('reject.reason')}
          description={t('reject.reason_why')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2000}
          {...form.getInputProps('reason')}
        />
        <div>
          <Action main type="submit" loading={sending.isPending}>
            {t('reject.submit')}
          </Action>
        </div>
      </form>
    </Modal>
  )
}
