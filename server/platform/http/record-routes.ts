import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'
import type { Db, Tx } from '../db/database.ts'
import { orNotFound } from '../errors.ts'
import type { Page, Rows } from '../lists/page.ts'
import { Envelope, envelope, sendList } from '../lists/send-list.ts'
import type { Operation, RouteOptions } from './route-options.ts'
import { IdParams, WithHeaders } from './schemas.ts'
import type { SliceDeps } from './slice-deps.ts'

export type App = Parameters<FastifyPluginAsyncTypebox>[0]
type Deps = Pick<SliceDeps, 'db' | 'write' | 'baseUrl'>

/** Records of one kind, as their routes show them. */
export interface RecordKind<Row, Id> {
  /** Path of the collection, and its parameters, if it has any. */
  readonly path: string
  readonly params?: TSchema
  /** One record, where its path is not `<path>/:id`. */
  readonly one?: OneRecord<Id>
  readonly route: RouteOptions
  readonly record: TSchema
  readonly toWire: (row: Row, request: FastifyRequest) => unknown
  /** Whether lists are answered as document 3 has them. */
  readonly isEnveloped?: boolean
  /** Path of a record, which creations answer as `Location`. */
  readonly pathOf?: (row: Row, request: FastifyRequest) => string
}

interface OneRecord<Id> {
  readonly path: string
  readonly params: TSchema
  /** @throws AppError 400 for an id that is none. */
  readonly idOf: (request: FastifyRequest) => Id
}

/** What a write does with one record; undefined where there is none. */
type Work<Row, Id, B extends TSchema> = (
  tx: Tx,
  id: Id,
  body: Static<B>,
  request: FastifyRequest,
) => Promise<Row | undefined>

/**
 * Makes what adds the routes of one kind of record; each operation that there is takes one call. Whatever writes does all of its
 * work in one transaction. Where there is no record the answer is 404.
 */
export const recordRoutes = <Row, Id extends number | string = number>(
  app: App,
  deps: Deps,
  kind: RecordKind<Row, Id>,
) => ({ ...readRoutes(app, deps, kind), ...writeRoutes(app, deps, kind) })

export type RecordRoutes<Row, Id extends number | string = number> = ReturnType<typeof recordRoutes<Row, Id>>

const paramsOf = ({ params }: { readonly params?: TSchema }) => (params === undefined ? {} : { params })
const oneOf = <Id>({ path, one }: Pick<RecordKind<never, Id>, 'path' | 'one'>): OneRecord<Id> =>
  one ?? { path: `${path}/:id`, params: IdParams, idOf: ({ params }) => (params as { readonly id: Id }).id }

const readRoutes = <Row, Id>(app: App, { db, baseUrl }: Deps, kind: RecordKind<Row, Id>) => {
  const { path, route, record, toWire, isEnveloped = false } = kind
  const one = oneOf(kind)
  return {
    list<Query extends Page>(
      operation: Operation,
      { querystring }: { readonly querystring: TUnsafe<Query> },
      rowsOf: (db: Db, query: Query, request: FastifyRequest) => Promise<Rows<Row>>,
    ): void {
      const response = { 200: isEnveloped ? Envelope(record) : Type.Array(record) }
      const options = route(operation, { ...paramsOf(kind), querystring, response })
      app.get(path, options, async (request: FastifyRequest, reply) => {
        const found = await rowsOf(db, request.query as Query, request)
        const shown = (row: Row) => toWire(row, request)
        return isEnveloped ? envelope(reply, baseUrl(), found, shown) : sendList(reply, baseUrl(), found, shown)
      })
    },

    get(operation: Operation, find: (db: Db, id: Id, request: FastifyRequest) => Promise<Row | undefined>): void {
      const options = route(operation, { params: one.params, response: { 200: record } })
      app.get(one.path, options, async (request: FastifyRequest) =>
        toWire(orNotFound(await find(db, one.idOf(request), request)), request),
      )
    },
  }
}

const writeRoutes = <Row, Id>(app: App, { write, baseUrl }: Deps, kind: RecordKind<Row, Id>) => {
  const { path, route, record, toWire, pathOf } = kind
  const { params, path: onePath, idOf } = oneOf(kind)
  const change = <B extends TSchema>(
    to: [method: 'PUT' | 'PATCH' | 'POST', url: string],
    operation: Operation,
    body: B | undefined,
    work: Work<Row, Id, B>,
  ) => {
    const [method, url] = to
    const options = route(operation, { params, ...(body && { body }), response: { 200: record } })
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      write(request, reply, async (tx) => {
        const row = orNotFound(await work(tx, idOf(request), request.body as Static<B>, request))
        return { status: 200, body: toWire(row, request) }
      })
    app.route({ method, url, ...options, handler })
  }
  return {
    create<B extends TSchema>(
      operation: Operation,
      body: B,
      make: (tx: Tx, body: Static<B>, request: FastifyRequest) => Promise<Row>,
    ): void {
      const made = pathOf === undefined ? record : WithHeaders(record, 'Location')
      const options = route(operation, { ...paramsOf(kind), body, response: { 201: made } })
      app.post(path, options, async (request: FastifyRequest, reply) =>
        write(request, reply, async (tx) => {
          const row = await make(tx, request.body as Static<B>, request)
          const headers = pathOf && { location: `${baseUrl()}${pathOf(row, request)}` }
          return { status: 201, body: toWire(row, request), ...(headers && { headers }) }
        }),
      )
    },

    /** PUT of one record. */
    replace: <B extends TSchema>(operation: Operation, body: B, work: Work<Row, Id, B>) =>
      change(['PUT', onePath], operation, body, work),

    /** PATCH of one record. */
    update: <B extends TSchema>(operation: Operation, body: B, work: Work<Row, Id, B>) =>
      change(['PATCH', onePath], operation, body, work),

    /** POST of an action on one record. @param name last segment of its path. @param body undefined: it is not looked at. */
    act: <B extends TSchema>(name: string, operation: Operation, body: B | undefined, work: Work<Row, Id, B>) =>
      change(['POST', `${onePath}/${name}`], operation, body, work),

    remove(operation: Operation, work: (tx: Tx, id: Id, request: FastifyRequest) => Promise<unknown>): void {
      const options = route(operation, { params, response: { 204: Type.Null() } })
      app.delete(onePath, options, async (request: FastifyRequest, reply) =>
        write(request, reply, async (tx) => {
          await work(tx, idOf(request), request)
          return { status: 204 }
        }),
      )
    },
  }
}
