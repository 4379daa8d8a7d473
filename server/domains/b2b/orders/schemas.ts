import { Type } from 'typebox'
import { Described, errorResponses, Id, IdParams, OptionalBody } from '#platform/http/schemas.ts'
import { Amount, answers, ifMatch, maxOrders, QuotationOrder } from '../quotations/index.ts'
import { longestPage, orderList } from './store.ts'

const { id: _, division, batch_no: batchNo, items, quantity } = QuotationOrder.properties
const OrderPreview = Type.Object(
  { division, batch_no: batchNo, quantity, amount: Amount, items },
  { title: 'OrderPreview' },
)
const OrderParams = Type.Object({ ...IdParams.properties, order_id: Type.Integer({ ...Id, title: 'OrderId' }) })
const tags = ['Quotation orders']
/** What superusers do: a body need not be sent. */
const action = { tags, params: IdParams, headers: ifMatch, body: OptionalBody({}, { examples: [{}] }) }
const tries =
  'Orders that fail are also tried again by themselves, after 30 seconds at first and later every hour, 20 times in all.'

export const listSchema = {
  tags,
  summary: 'List the orders of a quotation',
  description: 'In the order in which they were made: by division, then by batch.',
  operationId: 'listQuotationOrders',
  params: IdParams,
  querystring: orderList.querystring,
  response: { 200: Type.Array(QuotationOrder), ...errorResponses },
}

export const previewSchema = {
  tags,
  summary: 'Show the orders that a quotation becomes',
  description:
    'For each division, what it gets in sequence, cut into orders of at most as many units as B2B_BULK_PROCESSES_BATCH_SIZE says, ' +
    `or said when the quotation was approved. The amounts add up to its net amount. More than ${maxOrders} orders are refused.`,
  operationId: 'previewQuotationOrders',
  params: IdParams,
  querystring: orderList.querystring,
  response: { 200: Type.Array(OrderPreview), ...errorResponses },
}

export const createSchema = {
  ...action,
  summary: 'Create the orders of a quotation that are missing',
  description:
    `Only of an approved quotation. Orders that exist stay; those that failed are tried again. Answers the first ${longestPage} ` +
    'orders as they are now; they are created in the commerce platform a moment later.',
  operationId: 'createQuotationOrders',
  response: { 200: Type.Array(QuotationOrder), ...answers },
}

export const retryOneSchema = {
  ...action,
  summary: 'Try an order again that failed',
  description: `One that is on its way stays as it is. ${tries}`,
  operationId: 'retryQuotationOrder',
  params: OrderParams,
  response: { 202: Described('It will be tried.', QuotationOrder), ...answers },
}

export const retryAllSchema = {
  ...action,
  summary: 'Try all orders of a quotation again that failed',
  description: tries,
  operationId: 'retryQuotationOrders',
  response: {
    202: Described('They will be tried.', Type.Object({ count: Type.Integer({ description: 'How many they are.' }) })),
    ...answers,
  },
}
