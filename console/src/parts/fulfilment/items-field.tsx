import { CloseButton, NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { Action } from '#ui/action.tsx'
import { SkuInput } from './sku-input.tsx'
import type { Item } from './items.ts'
import classes from './fulfilment.module.css'

export interface EditedItem extends Item {
  /** Tells rows apart while they are edited. */
  readonly key: number
}

export const oneItem: readonly EditedItem[] = [{ key: 0, sku: '', quantity: 1 }]

/** What the API takes of edited items. */
export const toItems = (items: readonly EditedItem[]) =>
  items.map(({ sku, quantity }) => ({ sku: sku.trim(), quantity }))

interface ItemsFieldProps {
  readonly items: readonly EditedItem[]
  readonly onChange: (items: EditedItem[]) => void
  /** Errors of the API by field: `items`, `items.0.sku`, `items.0.quantity`. */
  readonly errors: Readonly<Record<string, ReactNode>>
}

/** Skus with their pieces, at least one. */
export const ItemsField = ({ items, onChange, errors }: ItemsFieldProps) => {
  const { t } = useTranslation('fulfilment')
  const nextKey = Math.max(...items.map(({ key }) => key)) + 1
  const edit = (index: number, change: Partial<Item>): void =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...change } : item)))
  return (
    <fieldset className={classes['items']}>
      <legend className="wb-label">{t('items')}</legend>
      {items.map((item, index) => (
        <div key={item.key} className={classes['item']}>
          <SkuInput
            label={t('sku')}
            value={item.sku}
            onChange={(sku) => edit(index, { sku })}
            error={errors[`items.${index}.sku`]}
          />
          <NumberInput
            label={t('pieces')}
            value={item.quantity}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            required
            hideControls
            onChange={(value) => edit(index, { quantity: Number(value) })}
            error={errors[`items.${index}.quantity`]}
          />
          <CloseButton
            aria-label={t('remove_item', { sku: item.sku })}
            disabled={items.length === 1}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {errors['items'] !== undefined && <p className="wb-error">{errors['items']}</p>}
      <div>
        <Action variant="subtle" onClick={() => onChange([...items, { key: nextKey, sku: '', quantity: 1 }])}>
          {t('add_item')}
        </Action>
      </div>
    </fieldset>
  )
}
