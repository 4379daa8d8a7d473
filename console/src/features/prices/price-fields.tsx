import { Radio, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { divisions } from '#parts/records.ts'
import { RecordSelect } from '#ui/list/record-select.tsx'
import { firstDay, lastDay } from './period.ts'
import { coverages, type Price } from './price-list.tsx'

export interface PriceForm {
  /** Id of the division, as a field has it. */
  readonly division: string | null
  readonly covers: Price['covers']
  readonly name: string
  readonly price: string
  /** A day of UTC; empty: none. */
  readonly valid_from: string
  readonly valid_to: string
}

export const formOf = (price: Price): PriceForm => ({
  division: String(price.division),
  covers: price.covers,
  name: price.name,
  price: price.price,
  valid_from: firstDay(price),
  valid_to: lastDay(price),
})

/** What the API takes of some fields of the form. */
export const toBody = ({ division, valid_to: to, ...rest }: Partial<PriceForm>): Schema<'PricePatch'> => ({
  ...rest,
  ...(division !== undefined && division !== null && { division: Number(division) }),
  ...(to !== undefined && { valid_to: to === '' ? null : to }),
})

interface PriceFieldsProps {
  readonly form: UseFormReturnType<PriceForm>
  /** What the amount is in, once that is known. */
  readonly currency: string | undefined
}

/** Whom a price is for, how much it is, and when it holds. */
export const PriceFields = ({ form, currency }: PriceFieldsProps) => {
  const { t } = useTranslation('prices')
  const { error, value, onChange } = form.getInputProps('division') as {
    readonly error?: string
    readonly value: string | null
    readonly onChange: (id: string | null) => void
  }
  return (
    <>
      <RecordSelect
        label={t('field.division')}
        required
        records={divisions}
        value={value}
        onChange={onChange}
        error={error}
      />
      <Radio.Group label={t('field.covers')} {...form.getInputProps('covers')}>
        <div className="stack" style={{ gap: 6, marginTop: 6 }}>
          {coverages.map((one) => (
            <Radio key={one} value={one} label={t(`covers_why.${one}`)} />
          ))}
        </div>
      </Radio.Group>
      <TextInput
        label={currency === undefined ? t('field.price') : t('price_in', { currency })}
        required
        inputMode="decimal"
        {...form.getInputProps('price')}
      />
      <div className="flex" style={{ alignItems: 'start' }}>
        <TextInput
          className="grow"
          type="date"
          label={t('field.valid_from')}
          description={t('valid_from_why')}
          {...form.getInputProps('valid_from')}
        />
        <TextInput
          className="grow"
          type="date"
          label={t('field.valid_to')}
          description={t('valid_to_why')}
          {...form.getInputProps('valid_to')}
        />
      </div>
      <TextInput
        label={t('field.name')}
        description={t('name_why')}
        required
        maxLength={255}
        {...form.getInputProps('name')}
      />
    </>
  )
}
