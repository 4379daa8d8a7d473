import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeUserQueue } from '#platform/http/user-queue.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { RemainingOf } from '../divisions/index.ts'
import { draftToWire, type Basket } from './basket.ts'
import { wantedQuantity } from './basket-fields.ts'
import { buyerOf, type Buyer } from './buyer.ts'
import { addToBasket, removeFromBasket, setInBasket } from './change-basket.ts'
import { listDrafts, removeDraft } from './draft-store.ts'
import { loadBasket, saveBasket } from './drafts.ts'
import { showBasket } from './remaining.ts'
import { openBasket } from './whole-basket.ts'
import * as schemas from './schemas.ts'
import { readBasket } from './store.ts'

/** Reads of a buyer that wait for each other: what follows a large one lets others in between. */
const maxWaiting = 30

export const basketRoutes =
  (dependencies: SliceDeps & { readonly remainingOf: RemainingOf }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, clock, write: answerWrite, remainingOf } = dependencies
    const userQueue = makeUserQueue(maxWaiting)

    // All answers are made of what their schemas say. By the schemas, writing 20,000 quantities would take four times as long.
    app.setReplySerializer((answer) => JSON.stringify(answer))

    // Before the body is looked at: 403 comes before 400.
    app.addHook('onRequest', async ({ principal }) => void buyerOf(principal))

    app.get('/api/v1/basket', schemas.getOptions, async ({ principal: { userId, divisionId } }) =>
      userQueue(userId, async () =>
        showBasket(db, await readBasket(db, await openBasket(db, userId), { divisionId, at: clock.now() }), {
          divisionId,
          remainingOf,
        }),
      ),
    )

    /** Answers a change with the basket that it leaves. */
    const answer = (request: FastifyRequest, reply: FastifyReply, change: (tx: Tx, buyer: Buyer) => Promise<Basket>) =>
      answerWrite(request, reply, async (tx) => {
        const { divisionId, ...buyer } = buyerOf(request.principal)
        return {
          status: 200,
          body: await showBasket(tx, await change(tx, { ...buyer, divisionId, at: clock.now() }), {
            divisionId,
            remainingOf,
          }),
        }
      })

    app.post('/api/v1/basket', schemas.addOptions, async (request, reply) =>
      answer(request, reply, (tx, buyer) => addToBasket(tx, buyer, wantedQuantity(request.body))),
    )

    app.put('/api/v1/basket', schemas.setOptions, async (request, reply) =>
      answer(request, reply, (tx, buyer) => setInBasket(tx, buyer, wantedQuantity(request.body))),
    )

    app.delete('/api/v1/basket', schemas.removeOptions, async (request, reply) =>
      answer(request, reply, (tx, buyer) => removeFromBasket(tx, buyer, String(request.body.product_remote_id))),
    )

    app.post('/api/v1/basket/save', schemas.saveOptions, async (request, reply) =>
      answer(request, reply, (tx, { userId }) => saveBasket(tx, userId, request.body.name, clock.now())),
    )

    const drafts = recordRoutes(app, dependencies, {
      path: '/api/v1/basket/drafts',
      route: schemas.route,
      record: schemas.DraftShape,
      toWire: draftToWire,
    })
    drafts.list(schemas.listDrafts, schemas.draftList, (_, query, { principal: { userId, divisionId } }) =>
      listDrafts(db, { userId, divisionId, at: clock.now() }, query),
    )
    drafts.remove(schemas.removeDraft, async (tx, id, { principal: { userId } }) => {
      if (!(await removeDraft(tx, userId, id))) throw notFound()
    })

    app.post('/api/v1/basket/:id/load', schemas.loadOptions, async (request, reply) =>
      answer(request, reply, (tx, buyer) => loadBasket(tx, buyer, request.params.id)),
    )
  }
