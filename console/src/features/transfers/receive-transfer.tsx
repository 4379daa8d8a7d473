import { NumberInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changesOf } from '#ui/changes.ts'
import { piecesOf } from '#parts/fulfilment/items.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { FormDialog } from '#ui/unsaved.tsx'
import type { Transfer } from './transfer-list.tsx'

/** Counts what arrived; less than was sent needs a reason. */
export const ReceiveTransfer = ({ transfer, close }: { readonly transfer: Transfer; readonly close: () => void }) => {
  const { t } = useTranslation('transfers')
  const sending = useSend('post', '/api/v1/transfers/{id}/receive')
  const { id, number, items: sent } = transfer
  const form = useForm({
    initialValues: { items: sent.map(({ sku, quantity }) => ({ sku, received: quantity })), reason: '' },
  })
  const { items } = form.values
  const count = piecesOf(sent)
  const arrived = items.reduce((sum, { received }) => sum + received, 0)
  const isShort = arrived < count
  const save = ({ reason }: typeof form.values): void =>
    sending.mutate(
      { path: { id }, body: isShort ? { items, reason: reason.trim() } : {} },
      {
        onSuccess: () => {
          toastDone(t('done.receive'))
          close()
        },
        onError: showErrors(form),
      },
    )
  return (
    <FormDialog changes={changesOf(form)} close={close} title={t('receive.title', { number })}>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <p className="muted">{t('receive.why')}</p>
        {sent.map(({ sku, quantity }, index) => (
          <NumberInput
            key={sku}
            label={sku}
            description={t('receive.sent', { count: quantity })}
            min={0}
            max={quantity}
            allowDecimal={false}
            required
            {...form.getInputProps(`items.${index}.received`)}
            onChange={(value) => form.setFieldValue(`items.${index}.received`, Number(value))}
          />
        ))}
        {isShort && (
          <TextInput label={t('receive.reason')} required maxLength={255} {...form.getInputProps('reason')} />
        )}
        <div>
          <Action main type="submit" loading={sending.isPending}>
            {t(isShort ? 'receive.submit' : 'receive.submit_all', { count, arrived })}
          </Action>
        </div>
      </form>
    </FormDialog>
  )
}
