import { Type } from 'typebox'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { Amount, Described, errorResponses, Id, IdParams, OptionalBody } from '#platform/http/schemas.ts'
import { stale, ifMatch, maxOrders, QuotationOrder } from '../quotations/index.ts'
import { longestPage, orderList } from './store.ts'

const { id: _, division, batch_no: batchNo, items, quantity } = QuotationOrder.properties
const OrderPreview = Type.Object(
  { division, batch_no: batchNo, quantity, amount: Amount, items },
  { title: 'OrderPreview', description: 'An order that the quotation would become.' },
)
const OrderParams = Type.Object({
  ...IdParams.properties,
  order_id: Type.Integer({ ...Id, title: 'OrderId', description: 'Id of an order of the quotation.' }),
})
export const route = makeRouteOptions('Quotation orders', errorResponses)
const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const write = operationsFor({ access: { role: 'superuser', scope: 'quotations:write' }, audited: true })
/** What superusers do: a body need not be sent. */
const action = { params: IdParams, headers: ifMatch, body: OptionalBody({}, { examples: [{}] }) }
export const tries =
  'Orders that fail are also tried again by themselves, after 30 seconds at first and later every hour, 20 times in all.'

export const listOptions = route(
  read(
    'listQuotationOrders',
    'List the orders of a quotation',
    'In the order in which they were made: by division, then by batch.',
  ),
  { params: IdParams, querystring: orderList.querystring, response: { 200: Type.Array(QuotationOrder) } },
)

export const previewOptions = route(
  read(
    'previewQuotationOrders',
    'Show the orders that a quotation becomes',
    'For each division, what it gets in sequence, cut into orders of at most as many units as B2B_BULK_PROCESSES_BATCH_SIZE says, ' +
      `or said when the quotation was approved. The amounts add up to its net amount. More than ${maxOrders} orders are refused.`,
  ),
  { params: IdParams, querystring: orderList.querystring, response: { 200: Type.Array(OrderPreview) } },
)

export const createOptions = route(
  write(
    'createQuotationOrders',
    'Create the orders of a quotation that are missing',
    `Only of an approved quotation. Orders that exist stay; those that failed are tried again. Answers the first ${longestPage} ` +
      'orders as they are now; they are created in the commerce platform a moment later.',
  ),
  { ...action, response: { 200: Type.Array(QuotationOrder), ...stale } },
)

export const retryOneOptions = route(
  write('retryQuotationOrder', 'Try an order again that failed', `One that is on its way stays as it is. ${tries}`),
  { ...action, params: OrderParams, response: { 202: Described('It will be tried.', QuotationOrder), ...stale } },
)

export const retryAllOptions = route(
  write('retryQuotationOrders', 'Try all orders of a quotation again that failed', tries),
  {
    ...action,
    response: {
      202: Described(
        'They will be tried.',
        Type.Object({ count: Type.Integer({ description: 'How many they are.' }) }),
      ),
      ...stale,
    },
  },
)
