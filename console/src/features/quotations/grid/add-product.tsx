import { Modal, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { RecordEditor } from '#ui/list/record-editor.tsx'
import type { Asking, NamedRecord, Records } from '#ui/list/records.ts'
import { formatMoney } from '#ui/texts/format.ts'
import { withProducts } from '../draft/edits.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import type { Column } from './cells.ts'
import { newLine, type Product } from './new-line.ts'

interface AddProductProps {
  readonly columns: readonly Column[]
  readonly close: () => void
}

/** Adds a product that is found by words, with its pieces by division. */
export const AddProduct = ({ columns, close }: AddProductProps) => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const [product, choose] = useState<Product>()
  const [found] = useState(() => new Map<string, Product>())
  return (
    <Modal opened onClose={close} title={t('add.title')}>
      {product === undefined ? (
        <RecordEditor
          label={t('add.find')}
          records={productsIn(quotation.currency, found)}
          choose={(id) => choose(found.get(id))}
        />
      ) : (
        <Pieces product={product} columns={columns} close={close} />
      )}
    </Modal>
  )
}

/** Products that are sold in a currency. @param found where those that are offered are kept, by their ids */
const productsIn = (currency: string, found: Map<string, Product>): Records => ({
  find: (words) => [
    {
      ...listOf('/api/v1/products', {
        query: { is_active: true, currency, limit: 20, ...(words !== '' && { q: words }) },
      }),
      select: ({ rows }: { readonly rows: readonly RowOf<'/api/v1/products'>[] }): readonly NamedRecord[] =>
        rows.map((row) => {
          found.set(String(row.id), row)
          return { id: String(row.id), name: `${row.name} · ${row.sku} · ${formatMoney(row.price, row.currency)}` }
        }),
      staleTime: 60_000,
    } as unknown as Asking<readonly NamedRecord[]>,
  ],
  name: () => {
    throw new Error('Products are named by what was found.')
  },
})

/** The fields come after the product is chosen, in a dialog that is open. */
const focus = (field: HTMLInputElement | null): void => field?.focus()

const Pieces = ({ product, columns, close }: AddProductProps & { readonly product: Product }) => {
  const { t } = useTranslation('quotations')
  const { base, edit } = useDraftHere()
  const divisions = columns.filter((column) => column.kind === 'division')
  const [quantities, setQuantities] = useState<ReadonlyMap<number, number>>(new Map())
  const shares = divisions.flatMap(({ id }) => {
    const quantity = quantities.get(id) ?? 0
    return quantity > 0 ? [{ id, quantity }] : []
  })
  const off = shares.length === 0 ? t('add.no_pieces') : undefined
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (shares.length === 0) return
        edit((edits) => withProducts(base.terms, edits, [newLine(product, shares, base.terms.digits)]))
        close()
      }}
    >
      <p>
        <b>{product.name}</b> <code>{product.sku}</code>
      </p>
      {divisions.map(({ id, name }, index) => (
        <NumberInput
          key={id}
          label={name}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          hideControls
          ref={index === 0 ? focus : undefined}
          value={quantities.get(id) ?? ''}
          onChange={(value) => setQuantities(new Map(quantities).set(id, Number(value)))}
        />
      ))}
      <div className="flex">
        <Action main type="submit" off={off}>
          {t('add.submit')}
        </Action>
        {off !== undefined && <span className="small muted">{off}</span>}
      </div>
    </form>
  )
}
