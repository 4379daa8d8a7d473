import type { FastifyPluginAsync } from 'fastify'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type TSchema, type TUnsafe } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import { operationsFor, type RouteOptions } from '#platform/http/route-options.ts'
import { IdParams } from '#platform/http/schemas.ts'
import { describeAction } from '#platform/lifecycle/lifecycle-text.ts'
import type { Lifecycle, Terms } from '#platform/lifecycle/lifecycle.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from './dependencies.ts'

export const reading = operationsFor({ access: { role: 'staff', scope: 'order-management:read' } })
export const writing = operationsFor({ access: { role: 'staff', scope: 'order-management:write' } })

export type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** One kind of thing, as its routes show it. */
export interface Kind<T> {
  readonly path: string
  /** In operation ids, such as `Package`; the plural adds an s. */
  readonly name: string
  /** In summaries, such as `package`. */
  readonly words: string
  /** Makes the options of routes under the tag of the kind. */
  readonly route: RouteOptions
  readonly shape: TSchema
  readonly toWire: (thing: T) => unknown
}

interface Reading<T, Q extends Page> extends Kind<T> {
  readonly querystring: TUnsafe<Q>
  readonly list: (db: Db, query: Q) => Promise<Rows<T>>
  readonly find: (db: Db, id: number) => Promise<T | undefined>
}

/** The routes that list the things of a kind and read one of them. */
export const readRoutes = <T, Q extends Page>(app: App, { db, baseUrl }: Dependencies, kind: Reading<T, Q>): void => {
  const { path, name, words, route, shape, toWire } = kind
  const listed = route(reading(`list${name}s`, `List ${words}s`), {
    querystring: kind.querystring,
    response: { 200: Type.Array(shape) },
  })
  app.get(path, listed, async (request, reply) =>
    sendList(reply, baseUrl(), await kind.list(db, request.query as Q), toWire),
  )

  const read = route(reading(`get${name}`, `Read a ${words}`), { params: IdParams, response: { 200: shape } })
  app.get(`${path}/:id`, read, async (request) => toWire(orNotFound(await kind.find(db, request.params.id))))
}

/** What the API description says of an action, and its body. */
export interface ActionTexts<B> {
  readonly summary: string
  /** What follows the possible moves. */
  readonly more?: string
  readonly body: TUnsafe<B | null>
}

export interface Command<A, B> {
  readonly id: number
  readonly action: A
  readonly body: Partial<B>
  readonly actorId: number
}

interface Acting<T, L extends Terms, B> {
  readonly lifecycle: Lifecycle<L>
  readonly texts: { readonly [A in L['action']]: ActionTexts<B> }
  readonly act: (tx: Tx, command: Command<L['action'], B>) => Promise<T>
}

/** A route for every action of a life cycle; what it says of possible moves is read from the table. */
export const actionRoutes = <T, L extends Terms, B>(
  app: App,
  { write }: Dependencies,
  { path, name, route, shape, toWire }: Kind<T>,
  { lifecycle, texts, act }: Acting<T, L, B>,
): void => {
  for (const action of lifecycle.actions) {
    const { summary, more, body }: ActionTexts<B> = texts[action]
    const description = [describeAction(lifecycle, action), ...(more === undefined ? [] : [more])].join(' ')
    const operationId = `${action.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}${name}`
    const schemas = { params: IdParams, body, response: { 200: shape } }
    app.post(
      `${path}/:id/${action}`,
      route(writing(operationId, summary, description), schemas),
      async (request, reply) =>
        write(request, reply, async (tx) => {
          const sent = (request.body ?? {}) as Partial<B>
          const command = { id: request.params.id, action, body: sent, actorId: request.principal.userId }
          return { status: 200, body: toWire(await act(tx, command)) }
        }),
    )
  }
}

/** The routes of several slices as those of one. */
export const joinRoutes =
  (plugins: readonly FastifyPluginAsync[]): FastifyPluginAsync =>
  async (app) => {
    for (const plugin of plugins) await app.register(plugin)
  }
