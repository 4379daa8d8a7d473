import { Type, type Static } from 'typebox'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses, IdParams, Nullable, OneOf } from '#platform/http/schemas.ts'
import { orderingQuery } from '#platform/lists/define-list.ts'
import { tableFormats } from '#platform/spreadsheets/table-file.ts'
import { quotationList, quotationOrderings } from '../quotations/index.ts'
import { itemExportFields } from '../settings/index.ts'
import { exportStatuses } from './export.ts'
import { documentedListFields, listExportFields, rowKinds } from './fields.ts'

const ExportStarted = Type.Object(
  { status_cache_key: Type.String({ format: 'uuid', examples: ['3f0b1c9a-5d6e-4f70-8a91-b2c3d4e5f601'] }) },
  { title: 'ExportStarted', description: 'An export that has begun.' },
)
export const ExportState = Type.Object(
  {
    is_ready: Type.Boolean({ description: 'The file can be fetched.' }),
    url: Type.String({ description: 'Where, without any credential, for 24 hours; empty until it is ready.' }),
    status: OneOf(exportStatuses),
    rows_done: Type.Integer({ minimum: 0, description: 'Rows written so far.' }),
    rows_total: Nullable(Type.Integer({ minimum: 0, description: 'Rows that there will be, once it has begun.' })),
    error: Nullable(Type.String({ description: 'Why it failed.' })),
  },
  { title: 'ExportState', description: 'How far an export is.' },
)
export type ExportState = Static<typeof ExportState>

const query = (fields: readonly string[], what: string, initially: string) => ({
  fields: Type.Optional(
    Type.Array(Type.String({ maxLength: 1_000 }), {
      maxItems: 100,
      description: `Columns, in this order; repeated, or with commas: ${fields.join(', ')}. ${initially}`,
      examples: [fields.slice(0, 2)],
    }),
  ),
  format: OneOf(tableFormats, { default: 'xls', description: 'An xls holds 65,535 rows.' }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: `Most ${what}.`, examples: [1000] }),
  ),
  status_cache_key: Type.Optional(
    Type.String({ maxLength: 100, description: 'Asks how far the export of this key is, whatever else is given.' }),
  ),
})

const description =
  'Without `status_cache_key` it begins and answers 202 with the key; the same path with the key answers how far it is, and in ' +
  'the end where the file is.'
const response = { 200: ExportState, 202: ExportStarted }
export const route = makeRouteOptions('Exports', errorResponses)
export const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const begin = operationsFor({ access: { role: 'staff', scope: 'quotations:read' }, also: [429] })

/** What the query of an export of quotations may say. */
export const listQuery = {
  ...query(listExportFields, 'quotations', `Default: ${documentedListFields.join(', ')}.`),
  rows: OneOf(rowKinds, {
    default: 'orders',
    description:
      '`orders`: a row for each order. `quotations`: a row for each quotation; `order_amount` is the sum of its orders, their ' +
      'numbers stand in one cell, and `order_status` is `failed` or `pending` where any of them is.',
  }),
  ...orderingQuery(quotationOrderings),
  ...quotationList.filterProperties,
}

export const exportList = route(
  begin(
    'exportQuotations',
    'Export quotations with their orders',
    `${description} One row for each order; one without an order for a quotation that has none. What is of the quotation repeats in ` +
      'each of its rows: add up amounts where `is_first_row` is 1, or have one row a quotation with `rows=quotations`.',
  ),
  {
    querystring: Type.Object(listQuery),
    response,
  },
)

export const exportItems = route(begin('exportQuotation', 'Export the items of a quotation', description), {
  params: IdParams,
  querystring: Type.Object(
    query(itemExportFields, 'items', 'Those of the setting QUOTATION_ITEM_EXPORT_FIELDS are always there.'),
  ),
  response,
})
