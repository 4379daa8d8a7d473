import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { Nullable, OneOf } from '#platform/http/schemas.ts'
import type { Dependencies } from '../dependencies.ts'
import { actionRoutes, readRoutes } from '../routes.ts'
import { historyRoute } from '../stock-documents/index.ts'
import { makeActOnTransfer } from './act-on-transfer.ts'
import { makeCreateTransfer, type TransferPlan } from './create-transfer.ts'
import { transferLifecycle, type TransferTerms } from './lifecycle.ts'
import { actionTexts, createOptions, route, TransferShape, type ActionBody } from './schemas.ts'
import { transferList, transferStore, type TransferChange } from './store.ts'
import { dispositions, toWire, type Transfer } from './transfer.ts'

const kind = {
  path: '/api/v1/transfers',
  name: 'Transfer',
  words: 'transfer',
  route,
  shape: TransferShape,
  toWire,
  querystring: transferList.querystring,
  list: transferStore.list,
  find: transferStore.find,
}

export const transferRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const createTransfer = makeCreateTransfer(dependencies)

    readRoutes(app, dependencies, kind)
    historyRoute(app, dependencies, kind, {
      lifecycle: transferLifecycle,
      own: { reason: Nullable(Type.String()), disposition: Nullable(OneOf(dispositions)) },
      ownToWire: ({ reason, disposition }: TransferChange) => ({ reason, disposition }),
      list: transferStore.history,
    })
    app.post(kind.path, createOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const transfer = await createTransfer(tx, planFrom(request.body), request.principal.userId)
        return { status: 201, body: toWire(transfer) }
      }),
    )
    actionRoutes<Transfer, TransferTerms, ActionBody>(app, dependencies, kind, {
      lifecycle: transferLifecycle,
      texts: actionTexts,
      act: makeActOnTransfer(dependencies),
    })
  }

const planFrom = (body: Static<typeof createOptions.schema.body>): TransferPlan => {
  const { carrier, awb_number: awbNumber = null, tracking_url: trackingUrl = null } = body
  return {
    fromLocationId: body.from_location,
    toLocationId: body.to_location,
    packageId: body.package ?? null,
    items: body.items,
    shipment: { ...(carrier === undefined ? {} : { carrier }), awbNumber, trackingUrl },
  }
}
