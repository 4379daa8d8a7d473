import { Type } from 'typebox'
import { operationsFor } from '#platform/http/route-options.ts'
import { Described, IdParams, OneOf, OptionalBody } from '#platform/http/schemas.ts'
import { ifMatch, stale } from '../quotations/index.ts'
import { allOrderList } from './list-store.ts'
import { ListedOrderShape } from './order.ts'
import { route, tries } from './schemas.ts'

export const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const write = operationsFor({ access: { role: 'superuser', scope: 'quotations:write' }, audited: true })
const body = OptionalBody({}, { examples: [{}] })

export const retryOptions = route(
  write('retryOrder', 'Try an order again', `Of any quotation. One that is on its way stays as it is. ${tries}`),
  {
    params: IdParams,
    headers: ifMatch,
    body,
    response: { 202: Described('It will be tried.', ListedOrderShape), ...stale },
  },
)

const Retried = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    status: OneOf(['dry_run', 'done', 'in_progress']),
  },
  { title: 'OrdersRetried', description: 'How many orders are tried again.' },
)

export const retryMatchingOptions = route(
  write(
    'retryOrders',
    'Try all failed orders again that match',
    'Those that failed among the orders that the list has with the same filters; without filters all that failed. ' +
      `More than 1,000 are left to a job, with the status \`in_progress\`. ${tries}`,
  ),
  {
    querystring: Type.Object({
      ...allOrderList.filterProperties,
      dry_run: Type.Boolean({ default: false, description: 'Say how many there are, and try none.' }),
    }),
    body,
    response: {
      200: Described('How many there are; none is tried.', Retried),
      202: Described('They will be tried.', Retried),
    },
  },
)
