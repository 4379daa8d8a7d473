import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import { masked, maskedHeaders } from '#delivery/subscriber/mask.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscription } from '#delivery/subscriber/subscription.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { changeSettings } from '#delivery/surface/owned.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { CheckUrl } from '#delivery/surface/target-url.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import type { DisabledReason, Flow, InboundFlow, OutboundFlow } from './flow.ts'
import { checkDirection, checkFields, newSettings, sentSettings, settingsFields } from './flow-input.ts'
import { changing, operation, route } from './flow-surface.ts'
import { FlowRecord, NewFlow, PartOfFlow } from './schemas.ts'
import {
  disabledReasonsOf,
  findFlow,
  flowList,
  insertFlow,
  listFlows,
  lockFlow,
  markRemoved,
  nextFlowId,
  updateFlow,
} from './store.ts'

export interface FlowRoutesDeps extends Surface {
  readonly baseUrl: () => string
  readonly redeliveries: Pick<Redeliveries, 'startRetry'>
  readonly checkUrl: CheckUrl
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly collection: string
}

/** A flow with the settings that the engine keeps of it. */
type FullFlow =
  | InboundFlow
  | (OutboundFlow & { readonly settings: Subscription; readonly disabledReason: DisabledReason })

/** Where data goes through, and where to (contract, sections 9 and 11: Flows). All writes lock the flow before its subscription. */
export const flowRoutes =
  ({ collection, checkUrl, ...deps }: FlowRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock, subscriptions } = deps
    const find = async (db: Db | Tx, id: number): Promise<FullFlow | undefined> =>
      (await complete(db, subscriptions, [orNotFound(await findFlow(db, id))]))[0]

    const flows = recordRoutes<FullFlow>(app, deps, {
      path: collection,
      one: {
        path: deps.path,
        params: deps.params,
        idOf: ({ params }) => (params as { readonly flowId: number }).flowId,
      },
      route,
      record: FlowRecord,
      toWire: toRecord,
      pathOf: ({ id }) => `${collection}/${id}`,
    })
    flows.list(operations.list, flowList, async (db, page) => {
      const { rows, ...found } = await listFlows(db, page)
      return { ...found, rows: await complete(db, subscriptions, rows) }
    })
    flows.create(operations.create, NewFlow, async (tx, body, { principal }) => {
      const { direction, name = '' } = checkFields(body, checkUrl)
      checkDirection(body, direction)
      const now = clock.now()
      const about = { id: await nextFlowId(tx), name, createdAt: now, modifiedAt: now }
      const flow: Flow =
        direction === 'inbound'
          ? { ...about, direction, isActive: body.is_active ?? true }
          : { ...about, direction, subscriptionId: await subscriptions.create(tx, newSettings(about.id, body)) }
      await insertFlow(tx, flow, principal.userId)
      return orNotFound(await find(tx, flow.id))
    })
    flows.get(operations.get, find)
    flows.update(operations.patch, PartOfFlow, async (tx, id, body) => {
      checkFields(body, checkUrl)
      const before = orNotFound(await lockFlow(tx, id))
      checkDirection(body, before.direction)
      if (before.direction === 'outbound')
        await changeSettings(tx, deps, before.subscriptionId, { sent: sentSettings(body), fields: settingsFields })
      const switched = before.direction === 'inbound' ? { isActive: body.is_active ?? before.isActive } : {}
      await updateFlow(tx, { ...before, name: body.name ?? before.name, modifiedAt: clock.now(), ...switched })
      return find(tx, id)
    })
    flows.remove(operations.remove, async (tx, id) => {
      const flow = orNotFound(await lockFlow(tx, id))
      await markRemoved(tx, id, clock.now())
      if (flow.direction === 'outbound') await subscriptions.remove(tx, flow.subscriptionId)
    })
  }

/** With the settings of their subscriptions, without those that were removed since they were read. */
const complete = async (db: Db | Tx, subscriptions: Subscriptions, flows: readonly Flow[]): Promise<FullFlow[]> => {
  const ids = flows.flatMap((flow) => (flow.direction === 'outbound' ? [flow.subscriptionId] : []))
  const settingsOf = await subscriptions.findAll(db, ids)
  const reasons = await disabledReasonsOf(db, ids)
  return flows.flatMap((flow): FullFlow[] => {
    if (flow.direction === 'inbound') return [flow]
    const settings = settingsOf.get(flow.subscriptionId)
    const disabledReason = reasons.get(flow.subscriptionId) ?? null
    return settings === undefined ? [] : [{ ...flow, settings, disabledReason }]
  })
}

/** A flow as answers show it. No secret leaves the server, and no header that carries a credential. */
const toRecord = makeToWire<FullFlow, typeof FlowRecord>(FlowRecord, {
  target: (flow) => settingsOf(flow)?.url ?? null,
  headers: (flow) => maskedHeaders(settingsOf(flow)?.headers ?? {}),
  secret: (flow) => masked(settingsOf(flow)?.secret ?? null),
  is_active: (flow) => (flow.direction === 'inbound' ? flow : flow.settings).isActive,
  disabled_reason: (flow) => (flow.direction === 'inbound' ? null : flow.disabledReason),
})
const settingsOf = (flow: FullFlow): Subscription | undefined =>
  flow.direction === 'outbound' ? flow.settings : undefined

const operations = {
  create: changing(
    'createFlow',
    'Create a flow',
    'Data sent to an outbound flow goes on to its target; an inbound flow takes none.',
  ),
  list: operation('listFlows', 'List flows'),
  get: operation('getFlow', 'Get a flow'),
  patch: changing(
    'changeFlow',
    'Change a flow',
    'Everything but the direction. When the target moves to another scheme, host or port, headers that carry credentials have ' +
      'to be sent again. Switching a flow on sends what was kept while its target was switched off. Another `secret` signs at once and ' +
      'alone; `POST …/secret` changes it with an overlap.',
  ),
  remove: changing(
    'removeFlow',
    'Remove a flow',
    'Runs that have not succeeded fail; all of its runs can still be read.',
  ),
}
