import { Type, type TObject, type TProperties } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import type { App } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import type { Operation, RouteOptions } from '#platform/http/route-options.ts'
import { Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import type { Lifecycle, Terms } from '#platform/lifecycle/lifecycle.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from '../dependencies.ts'
import { historyList, type DocumentChange } from './store.ts'

interface History<L extends Terms, E extends DocumentChange> {
  /** Path of the documents. */
  readonly path: string
  readonly route: RouteOptions
  readonly operation: Operation
  readonly lifecycle: Lifecycle<L>
  /** Fields of a change besides those of every document. */
  readonly own: TProperties
  /** Those of them that differ from the column of their name. */
  readonly ownColumns?: Readonly<Record<string, keyof E>>
  readonly store: {
    readonly find: (db: Db, id: number) => Promise<unknown>
    readonly history: (db: Db, id: number, page: Page) => Promise<Rows<E>>
  }
}

export const historyRoute = <L extends Terms, E extends DocumentChange>(
  app: App,
  { db, baseUrl }: Dependencies,
  { path, route, operation, lifecycle, own, ownColumns, store }: History<L, E>,
): void => {
  const shape = Type.Object({
    action: OneOf(['create', ...lifecycle.actions]),
    from_status: Nullable(OneOf(lifecycle.statuses)),
    to_status: OneOf(lifecycle.statuses),
    ...own,
    actor: Id,
    created_date: Timestamp,
  })
  const options = route(operation, {
    params: IdParams,
    querystring: historyList.querystring,
    response: { 200: Type.Array(shape) },
  })
  // Which columns a change has besides is said by `own`.
  const toWire = makeToWire<E, TObject>(shape, { actor: 'actorId', ...ownColumns } as never)
  app.get(`${path}/:id/history`, options, async (request, reply) => {
    const { id } = request.params
    orNotFound(await store.find(db, id))
    return sendList(reply, baseUrl(), await store.history(db, id, request.query), toWire)
  })
}
