import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Operation } from '#platform/http/route-options.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Surface } from './surface.ts'

type ChangeName = 'patch' | 'replace'

/** What one surface has of its own where owners of subscriptions are listed, made, changed and removed. */
export interface Crud<Id extends string | number, Input, Row> {
  readonly collection: string
  readonly collectionParams?: TSchema
  readonly querystring: TSchema
  readonly record: TSchema
  readonly toRecord: (row: Row) => object
  readonly bodies: { readonly create: TSchema } & { readonly [Name in ChangeName]?: TSchema }
  readonly operations: Readonly<Record<'list' | 'create' | 'get' | 'remove', Operation>> & {
    readonly [Name in ChangeName]?: Operation
  }
  /** What creations and changes answer; the record unless it is given. */
  readonly changed?: { readonly schema: TSchema; readonly read: (tx: Tx, request: FastifyRequest) => Promise<object> }
  /** Whether `inputOf` names what the validator found, too. */
  readonly attachValidation?: boolean
  /** @throws AppError 400 for an id that is none. */
  readonly idOf: (request: FastifyRequest) => Id
  /** Path of one, from the root of this server. */
  readonly pathOf: (request: FastifyRequest, id: Id) => string
  /** @throws AppError 400 that names every field that is wrong by itself. */
  readonly inputOf: (request: FastifyRequest) => Input
  readonly list: (db: Db, request: FastifyRequest, page: Page) => Promise<Rows<Row>>
  /** @throws AppError 404, as `change` and `remove` do. */
  readonly find: (db: Db | Tx, request: FastifyRequest, id: Id) => Promise<Row>
  readonly create: (tx: Tx, request: FastifyRequest, input: Input) => Promise<Id>
  readonly change: (tx: Tx, request: FastifyRequest, id: Id, input: Input) => Promise<void>
  readonly remove: (tx: Tx, request: FastifyRequest, id: Id) => Promise<void>
}

/** List, creation, change and removal; every write does all of its work in one transaction. */
export const crudRoutes = <Id extends string | number, Input, Row>(
  { db, write, baseUrl, route, path, params }: Surface & { readonly baseUrl: () => string },
  crud: Crud<Id, Input, Row>,
): FastifyPluginAsync => {
  const { collection, collectionParams, operations, bodies, record, toRecord, idOf, inputOf, attachValidation } = crud
  const ofAll = collectionParams === undefined ? {} : { params: collectionParams }
  const answer = crud.changed?.schema ?? record
  const changed = async (tx: Tx, request: FastifyRequest, id: Id): Promise<object> =>
    crud.changed?.read(tx, request) ?? toRecord(await crud.find(tx, request, id))
  const list = { ...ofAll, querystring: crud.querystring, response: { 200: Type.Array(record) } }
  const create = { ...ofAll, body: bodies.create, response: { 201: answer } }
  const validation = attachValidation === true ? { attachValidation } : {}

  return async (app) => {
    app.get(collection, route(operations.list, list), async (request, reply) =>
      // The schema of the query has checked it.
      sendList(reply, baseUrl(), await crud.list(db, request, request.query as Page), toRecord),
    )

    app.post(collection, { ...route(operations.create, create), ...validation }, async (request, reply) => {
      const input = inputOf(request)
      return write(request, reply, async (tx) => {
        const id = await crud.create(tx, request, input)
        const headers = { location: `${baseUrl()}${crud.pathOf(request, id)}` }
        return { status: 201, body: await changed(tx, request, id), headers }
      })
    })

    app.get(path, route(operations.get, { params, response: { 200: record } }), async (request) =>
      toRecord(await crud.find(db, request, idOf(request))),
    )

    for (const [name, method] of [
      ['replace', 'PUT'],
      ['patch', 'PATCH'],
    ] as const) {
      const [operation, body] = [operations[name], bodies[name]]
      if (operation === undefined || body === undefined) continue
      const options = route(operation, { params, body, response: { 200: answer } })
      app.route({
        method,
        url: path,
        ...options,
        ...validation,
        handler: async (request, reply) => {
          const id = idOf(request)
          const input = inputOf(request)
          return write(request, reply, async (tx) => {
            await crud.change(tx, request, id, input)
            return { status: 200, body: await changed(tx, request, id) }
          })
        },
      })
    }

    app.delete(path, route(operations.remove, { params, response: { 204: Type.Null() } }), async (request, reply) => {
      const id = idOf(request)
      return write(request, reply, async (tx) => {
        await crud.remove(tx, request, id)
        return { status: 204 }
      })
    })
  }
}
