/** Fields of an export of quotations, in the order of document 3: those that it has when none is asked for. */
export const documentedListFields = [
  'id',
  'number',
  'total_amount',
  'net_amount',
  'name',
  'user',
  'created_at',
  'modified_at',
  'status',
  'order_remote_number',
  'order_status',
] as const

/** All that can be asked for: programs that read the documented ones find nothing new among them. */
export const listExportFields = [
  ...documentedListFields,
  'currency',
  'division',
  'order_number',
  'order_amount',
  'is_first_row',
] as const
export type ListExportField = (typeof listExportFields)[number]

/** What an export of quotations has a row for. */
export const rowKinds = ['orders', 'quotations'] as const
export type RowKind = (typeof rowKinds)[number]
