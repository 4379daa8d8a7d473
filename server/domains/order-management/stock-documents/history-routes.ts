import { Type, type TProperties } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import { Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import type { Lifecycle, Terms } from '#platform/lifecycle/lifecycle.ts'
import { pageQuery } from '#platform/lists/define-list.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from '../dependencies.ts'
import { reading, type App, type Kind } from '../routes.ts'
import type { DocumentChange } from './store.ts'

interface History<L extends Terms, E extends DocumentChange> {
  readonly lifecycle: Lifecycle<L>
  /** Fields of a change besides those of every document. */
  readonly own: TProperties
  readonly ownToWire: (change: E) => object
  readonly list: (db: Db, id: number, page: Page) => Promise<Rows<E>>
}

/** The route that lists the changes of one document. */
export const historyRoute = <T, L extends Terms, E extends DocumentChange>(
  app: App,
  { db, baseUrl }: Dependencies,
  kind: Pick<Kind<T>, 'path' | 'name' | 'words' | 'route'> & {
    readonly find: (db: Db, id: number) => Promise<T | undefined>
  },
  { lifecycle, own, ownToWire, list }: History<L, E>,
): void => {
  const { path, name, words, route, find } = kind
  const shape = Type.Object({
    action: OneOf(['create', ...lifecycle.actions]),
    from_status: Nullable(OneOf(lifecycle.statuses)),
    to_status: OneOf(lifecycle.statuses),
    ...own,
    actor: Id,
    created_date: Timestamp,
  })
  const options = route(reading(`list${name}History`, `List the changes of a ${words}, oldest first`), {
    params: IdParams,
    querystring: Type.Object(pageQuery()),
    response: { 200: Type.Array(shape) },
  })
  app.get(`${path}/:id/history`, options, async (request, reply) => {
    const { id } = request.params
    orNotFound(await find(db, id))
    return sendList(reply, baseUrl(), await list(db, id, request.query), (change) => ({
      action: change.action,
      from_status: change.fromStatus,
      to_status: change.toStatus,
      ...ownToWire(change),
      actor: change.actorId,
      created_date: change.createdAt.toISOString(),
    }))
  })
}
