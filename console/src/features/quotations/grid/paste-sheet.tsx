import { Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { FormDialog } from '#ui/unsaved.tsx'
import { withProducts } from '../draft/edits.ts'
import type { Line } from '../draft/terms.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import type { Column } from './cells.ts'
import { newLine, type Product } from './new-line.ts'
import { parseSheet, type SheetRow } from './paste.ts'

interface PasteSheetProps {
  readonly columns: readonly Column[]
  readonly close: () => void
}

/** A row that cannot be taken, and why. */
interface Wrong {
  readonly row: SheetRow
  readonly why: 'unknown' | 'quantity'
}

/** Takes rows of sku and quantities from a spreadsheet: of lines that there are they become the quantities, others are added. */
export const PasteSheet = ({ columns, close }: PasteSheetProps) => {
  const { t } = useTranslation('quotations')
  const [text, setText] = useState('')
  const divisions = columns.filter((column) => column.kind === 'division')
  const rows = parseSheet(text)
  const taking = useTaking(divisions.map(({ id }) => id))
  const take = (): void =>
    taking.mutate(rows, {
      onSuccess: (wrong) => {
        if (wrong.length === 0) close()
        // What is left can be put right.
        else setText(wrong.map(({ row }) => row.text).join('\n'))
      },
      onError: toastFailed,
    })
  return (
    <FormDialog changes={text === '' ? 0 : 1} close={close} title={t('sheet.title')} size="lg">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          take()
        }}
      >
        <p className="muted">
          {t('sheet.how', { columns: ['SKU', ...divisions.map(({ name }) => name)].join(' · ') })}
        </p>
        <Textarea
          label={t('sheet.rows')}
          autosize
          minRows={8}
          maxRows={16}
          data-autofocus
          classNames={{ input: 'mono' }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <WrongRows wrong={taking.data ?? []} />
        <div>
          <Action main type="submit" loading={taking.isPending} off={rows.length === 0 ? t('sheet.none') : undefined}>
            {t('sheet.take', { count: rows.length })}
          </Action>
        </div>
      </form>
    </FormDialog>
  )
}

const WrongRows = ({ wrong }: { readonly wrong: readonly Wrong[] }) => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  if (wrong.length === 0) return null
  return (
    <ul role="alert" className="text-bad">
      {wrong.slice(0, 20).map(({ row, why }) => (
        <li key={row.row}>{t(`sheet.${why}`, { row: row.row, sku: row.sku, currency: quotation.currency })}</li>
      ))}
    </ul>
  )
}

/** Edits the lines by rows of a sheet. @returns those that cannot be taken */
const useTaking = (divisions: readonly number[]) => {
  const { base, lines, edit, quotation } = useDraftHere()
  return useMutation<readonly Wrong[], ApiError, readonly SheetRow[]>({
    mutationFn: async (rows) => {
      const known = new Map(lines.map((line) => [line.sku, line]))
      const missing = rows.map(({ sku }) => sku).filter((sku) => !known.has(sku))
      const found = await productsOf(missing, quotation.currency)
      const wrong: Wrong[] = []
      const taken = rows.flatMap((row): Line[] => {
        const shares = sharesOf(row, divisions)
        const product = found.get(row.sku)
        const line = known.get(row.sku) ?? (product && newLine(product, [], base.terms.digits))
        if (line !== undefined && shares !== undefined) return [{ ...line, shares }]
        wrong.push({ row, why: line === undefined ? 'unknown' : 'quantity' })
        return []
      })
      if (taken.length > 0) edit((edits) => withProducts(base.terms, edits, taken))
      return wrong
    },
  })
}

/** Columns beyond the divisions are not read. undefined: a quantity is none, or there are none at all. */
const sharesOf = (row: SheetRow, divisions: readonly number[]) => {
  const quantities = row.quantities.slice(0, divisions.length)
  if (quantities.length === 0 || quantities.some((one) => one === undefined)) return undefined
  return divisions.flatMap((id, index) => {
    const quantity = quantities[index]
    return quantity === undefined ? [] : [{ id, quantity }]
  })
}

/** The API answers one sku at a time; so many are asked for at once. */
const askedAtOnce = 8

const productsOf = async (skus: readonly string[], currency: string): Promise<ReadonlyMap<string, Product>> => {
  const left = [...new Set(skus)]
  const found = new Map<string, Product>()
  const ask = async (): Promise<void> => {
    for (let sku = left.pop(); sku !== undefined; sku = left.pop()) {
      const { results } = await call('get', '/api/v1/products', { query: { sku, currency, is_active: true, limit: 1 } })
      const [product] = results
      if (product !== undefined) found.set(sku, product)
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, ask))
  return found
}
