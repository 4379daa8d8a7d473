import type { FastifyPluginAsync } from 'fastify'
import { Type, type TUnsafe } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import type { RecordRoutes } from '#platform/http/record-routes.ts'
import { operationsFor } from '#platform/http/route-options.ts'
import { OptionalBody } from '#platform/http/schemas.ts'
import { describeAction } from '#platform/lifecycle/lifecycle-text.ts'
import type { Lifecycle, Terms } from '#platform/lifecycle/lifecycle.ts'

export const reading = operationsFor({ access: { role: 'staff', scope: 'order-management:read' } })
export const writing = operationsFor({ access: { role: 'staff', scope: 'order-management:write' } })

/** What cannot be done now, in the words of its refusal. */
export const BlockedActions = Type.Record(Type.String(), Type.String(), {
  description: 'What cannot be done now: path segment → why.',
  examples: [{ pack: 'Only a package that is transitioned allows pack; this one is created.' }],
})

/** What the API description says of an action, and its body. */
export interface ActionTexts<B> {
  readonly summary: string
  /** What follows the possible moves. */
  readonly more?: string
  /** Absent: it needs none. */
  readonly body?: TUnsafe<B | null>
}

export interface Command<A, B> {
  readonly id: number
  readonly action: A
  readonly body: Partial<B>
  readonly actorId: number
}

interface Acting<T, L extends Terms, B> {
  /** Of the kind, in operation ids, such as `Package`. */
  readonly name: string
  readonly lifecycle: Lifecycle<L>
  readonly texts: { readonly [A in L['action']]: ActionTexts<B> }
  readonly act: (tx: Tx, command: Command<L['action'], B>) => Promise<T>
}

const noBody = Type.Unsafe<null>(OptionalBody({}))

/** A route for every action of a life cycle; what it says of possible moves is read from the table. */
export const actionRoutes = <T, L extends Terms, B>(
  records: Pick<RecordRoutes<T>, 'act'>,
  { name, lifecycle, texts, act }: Acting<T, L, B>,
): void => {
  for (const action of lifecycle.actions) {
    const { summary, more, body = noBody }: ActionTexts<B> = texts[action]
    const description = [describeAction(lifecycle, action), ...(more === undefined ? [] : [more])].join(' ')
    const operationId = `${action.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}${name}`
    records.act(action, writing(operationId, summary, description), body, (tx, id, sent, { principal }) =>
      act(tx, { id, action, body: sent ?? {}, actorId: principal.userId }),
    )
  }
}

/** The routes of several slices as those of one. */
export const joinRoutes =
  (plugins: readonly FastifyPluginAsync[]): FastifyPluginAsync =>
  async (app) => {
    for (const plugin of plugins) await app.register(plugin)
  }
