import type { TableColumn } from '#platform/spreadsheets/table-file.ts'

/** What a table of a basket has when it is exported. */
export const exportColumns = [
  { name: 'product_remote_id', type: 'text' },
  { name: 'sku', type: 'text' },
  { name: 'product', type: 'text' },
  { name: 'division', type: 'text' },
  { name: 'division_erp_code', type: 'text' },
  { name: 'division_name', type: 'text' },
  { name: 'quantity', type: 'number' },
  { name: 'price', type: 'number' },
  { name: 'currency', type: 'text' },
  { name: 'total_amount', type: 'number' },
] as const satisfies readonly TableColumn[]

/** Columns that name the product. */
const ofProduct: readonly string[] = ['product_remote_id', 'sku']

/** What it has when it is imported. Of the rest of an export nothing is read, but it may be there. */
export const importColumns = {
  required: ['quantity'],
  oneOf: ofProduct,
  optional: exportColumns.map(({ name }) => name).filter((name) => name !== 'quantity' && !ofProduct.includes(name)),
}
