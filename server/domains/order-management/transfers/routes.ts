import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { transferStatuses } from '#events/order-management.ts'
import { Type, type Static } from 'typebox'
import { countRoute } from '#platform/lists/count-routes.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { Nullable, OneOf } from '#platform/http/schemas.ts'
import type { Dependencies } from '../dependencies.ts'
import { actionRoutes, reading } from '../routes.ts'
import { historyRoute } from '../stock-documents/index.ts'
import { makeActOnTransfer } from './act-on-transfer.ts'
import { makeCreateTransfer, type TransferPlan } from './create-transfer.ts'
import { transferLifecycle } from './lifecycle.ts'
import { actionTexts, create, NewTransfer, route, TransferShape } from './schemas.ts'
import { countTransfers, transferList, transferStore } from './store.ts'
import { dispositions, toWire } from './transfer.ts'

export const transferRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const createTransfer = makeCreateTransfer(dependencies)
    const path = '/api/v1/transfers'
    const transfers = recordRoutes(app, dependencies, { path, route, record: TransferShape, toWire })
    transfers.list(reading('listTransfers', 'List transfers'), transferList, transferStore.list)
    transfers.get(
      reading('getTransfer', 'Read a transfer', '`allowed_actions` are the operations that are possible now.'),
      transferStore.find,
    )
    countRoute(app, {
      path,
      route,
      operation: reading(
        'countTransfers',
        'Count transfers by their status',
        'Those that fit the other filters of the list.',
      ),
      list: transferList,
      values: transferStatuses,
      title: 'TransferCounts',
      what: 'transfers',
      count: (query) => countTransfers(dependencies.db, query),
    })
    historyRoute(app, dependencies, {
      path,
      route,
      operation: reading(
        'listTransferHistory',
        'List the changes of a transfer, oldest first',
        'Every change of its status: when, from what, to what, and by whom.',
      ),
      lifecycle: transferLifecycle,
      own: { reason: Nullable(Type.String()), disposition: Nullable(OneOf(dispositions)) },
      store: transferStore,
    })
    transfers.create(create, NewTransfer, (tx, body, { principal }) =>
      createTransfer(tx, planFrom(body), principal.userId),
    )
    const act = makeActOnTransfer(dependencies)
    actionRoutes(transfers, { name: 'Transfer', lifecycle: transferLifecycle, texts: actionTexts, act })
  }

const planFrom = (body: Static<typeof NewTransfer>): TransferPlan => {
  const { carrier, awb_number: awbNumber = null, tracking_url: trackingUrl = null } = body
  return {
    fromLocationId: body.from_location,
    toLocationId: body.to_location,
    packageId: body.package ?? null,
    items: body.items,
    shipment: { ...(carrier === undefined ? {} : { carrier }), awbNumber, trackingUrl },
  }
}
