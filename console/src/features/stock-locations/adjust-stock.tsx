import { NumberInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changesOf } from '#ui/changes.ts'
import { SkuInput } from '#parts/fulfilment/sku-input.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { toastDone } from '#ui/toast.tsx'
import { FormDialog } from '#ui/unsaved.tsx'
import type { StockLocation } from './location-list.tsx'

interface AdjustStockProps {
  readonly location: StockLocation
  /** The sku of the row that it began at. */
  readonly sku: string
  readonly close: () => void
}

interface Values {
  readonly sku: string
  readonly quantity: number | ''
  readonly reason: string
}

/** Books what was counted into the ledger or out of it, with a reason; what is wrong is booked back the same way. */
export const AdjustStock = ({ location: { id, code }, sku, close }: AdjustStockProps) => {
  const { t } = useTranslation('stock-locations')
  const sending = useSend('post', '/api/v1/stock_locations/{id}/stock')
  const form = useForm<Values>({ initialValues: { sku, quantity: '', reason: '' } })
  const quantity = Number(form.values.quantity)
  const save = (values: Values): void =>
    sending.mutate(
      { path: { id }, body: { sku: values.sku.trim(), quantity, reason: values.reason.trim() } },
      {
        onSuccess: (balance) => {
          toastDone(t('adjust.done', { sku: balance.sku, count: balance.on_hand, available: balance.available }))
          close()
        },
        onError: showErrors(form),
      },
    )
  const words = formatNumber(Math.abs(quantity))
  return (
    <FormDialog changes={changesOf(form)} close={close} title={t('adjust.title', { code })}>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <SkuInput label={t('field.sku')} {...form.getInputProps('sku')} value={form.values.sku} />
        <NumberInput
          label={t('field.quantity')}
          description={t('adjust.quantity_hint')}
          required
          allowDecimal={false}
          min={-1_000_000}
          max={1_000_000}
          {...form.getInputProps('quantity')}
        />
        <TextInput
          label={t('field.reason')}
          description={t('adjust.reason_hint')}
          required
          maxLength={255}
          {...form.getInputProps('reason')}
        />
        <div>
          <Action main type="submit" loading={sending.isPending} off={quantity === 0 ? t('adjust.nothing') : undefined}>
            {t(buttonText(quantity), { words })}
          </Action>
        </div>
      </form>
    </FormDialog>
  )
}

const buttonText = (quantity: number): string => {
  if (quantity === 0) return 'adjust.open'
  return quantity > 0 ? 'adjust.add' : 'adjust.take'
}
