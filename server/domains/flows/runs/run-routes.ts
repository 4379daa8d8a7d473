import { isUtf8 } from 'node:buffer'
import { Type } from 'typebox'
import type { Delivery } from '#delivery/log/delivery-log.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import { makeAttemptShape, snakeTiming } from '#delivery/surface/attempt-shape.ts'
import {
  createdBetween,
  createdParameters,
  deliveryList,
  deliveryRoutes,
  idOfWebhookId,
  webhookIdParameter,
  type RetryByQueue,
} from '#delivery/surface/delivery-routes.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { renaming, snakeCase } from '#delivery/surface/shape.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { conflict, orNotFound } from '#platform/errors.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Id, IdOf, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { findFlowWithRemoved, FlowParams, holdFlow, operation, route, takesData } from '../flows/index.ts'
import { flowInactive, RunState, StartedRun } from './data-routes.ts'
import { deliveriesIn, stateOf } from './run-state.ts'

const RunRecord = Type.Object(
  {
    run_id: Id,
    uuid: Type.String({ description: 'The webhook-id that every attempt carries.' }),
    flow: Id,
    state: RunState,
    attempts: Type.Integer({ description: 'Attempts that have begun.' }),
    next_attempt_at: Nullable(Timestamp),
    last_status: Nullable(Type.Integer({ description: 'HTTP status of the last attempt; null without an answer.' })),
    last_reason: Nullable(
      Type.String({
        description: 'Why the last attempt ended as it did, in a word.',
        examples: ['http_503', 'timeout'],
      }),
    ),
    content_type: Nullable(Type.String({ examples: ['text/csv; charset=utf-8'] })),
    size: Type.Integer({ description: 'Bytes of data.' }),
    payload: Nullable(Type.String({ description: 'The data. In lists null when it is larger than 12 KiB.' })),
    payload_encoding: Nullable(
      OneOf(['utf-8', 'base64'], {
        description: 'How payload shows it: as text when it is UTF-8. null without payload.',
      }),
    ),
    created_at: Timestamp,
    finished_at: Nullable(Timestamp),
  },
  { title: 'Run', description: 'Data that was sent through a flow, and what became of it.' },
)
/** A run is the delivery of its data. */
const toRecord = makeToWire<Delivery, typeof RunRecord, [of: { readonly flowId: number; readonly uuid: string }]>(
  RunRecord,
  {
    run_id: 'id',
    uuid: (_, { uuid }) => uuid,
    flow: (_, { flowId }) => flowId,
    state: stateOf,
    content_type: ({ content }) => content?.mediaType ?? null,
    size: ({ content }) => content?.size ?? 0,
    payload: ({ content }) => (content?.bytes ? payloadOf(content.bytes) : null),
    payload_encoding: ({ content }) => (content?.bytes ? encodingOf(content.bytes) : null),
  },
)

const attempt = makeAttemptShape(renaming(snakeCase, { nextAttemptAt: 'next_due' }), {
  title: 'RunAttempt',
  description: 'One attempt to send the data of a run.',
  timing: snakeTiming,
  responseBody: 'At most 64 KiB of it.',
})
const Detail = Type.Object(
  {
    ...RunRecord.properties,
    attempt_log: Type.Array(attempt.schema, {
      description: 'The first one first. Kept for a shorter time than the run.',
    }),
  },
  { title: 'RunDetail', description: 'A run with its attempts.' },
)

const list = deliveryList({
  state: Type.Optional(RunState),
  uuid: webhookIdParameter('The webhook-id that the target got, with or without hyphens.'),
  ...createdParameters('created_at', 'refused'),
})
export interface RunRoutesDeps extends SliceDeps {
  readonly installationId: string
  readonly redeliveries: Pick<Redeliveries, 'retryOne'>
  /** `/api/nifi/flows` unless configured otherwise. */
  readonly path: string
}

/** What became of the data that was sent through a flow (contract, sections 9 and 11: Flows). A run is a delivery, and has its id. */
export const runRoutes = ({ path, installationId, redeliveries, ...deps }: RunRoutesDeps) => {
  const collection = `${path}/:flowId/runs`
  return deliveryRoutes(deps, {
    route,
    path: collection,
    params: FlowParams,
    itemPath: `${collection}/:runId`,
    itemParams: Type.Object({ ...FlowParams.properties, runId: IdOf('Id of a run.') }),
    idOf: ({ params }) => (params as RunPlace).runId,
    // Those of a removed flow too; an inbound one has none.
    visible: async (db, { params }) => {
      const flow = orNotFound(await findFlowWithRemoved(db, (params as RunPlace).flowId))
      return flow.direction === 'outbound' ? [flow.subscriptionId] : []
    },
    list,
    filterOf: ({ state, uuid, ...query }, subscriptionIds) => ({
      subscriptionIds,
      ...createdBetween(query, 'created_at', 'refused'),
      ...(state === undefined ? {} : deliveriesIn[state]),
      id: idOfWebhookId(uuid, installationId),
    }),
    record: RunRecord,
    detail: Detail,
    toRecords: async (deliveries, { params }) => {
      const { flowId } = params as RunPlace
      return deliveries.map((run) => toRecord(run, { flowId, uuid: webhookIdOf(run.id, installationId) }))
    },
    toDetail: (run, _, attempts) => ({ ...run, attempt_log: attempts.map(attempt.toRecord) }),
    operations,
    retry: {
      ...retry,
      redeliveries,
      // The flow is held: it is not switched off or removed meanwhile. Through one that a person has switched off nothing is
      // sent; where the engine has, this goes out when the target is back, as all data does.
      check: async (tx, { subscriptionId }, { params }) => {
        const flow = await holdFlow(tx, (params as RunPlace).flowId)
        if (flow !== undefined && !(await takesData(tx, subscriptionId))) throw flowInactive()
      },
      toAnswer: ({ attempts }, { params }) => {
        const { flowId, runId } = params as RunPlace
        const location = `${deps.baseUrl()}${path}/${flowId}/runs/${runId}`
        return {
          status: 202,
          body: { run_id: runId, state: stateOf({ status: 'pending', attempts }) },
          headers: { location },
        }
      },
    },
  })
}

interface RunPlace {
  readonly flowId: number
  readonly runId: number
}

/** How bytes stand in JSON: as text where they are UTF-8, whatever their content type says, else as base64. */
export const encodingOf = (bytes: Buffer): 'utf-8' | 'base64' => (isUtf8(bytes) ? 'utf-8' : 'base64')
/** Bytes in JSON. A byte order mark is part of the data. */
export const payloadOf = (bytes: Buffer): string => bytes.toString(encodingOf(bytes))

const operations = {
  list: operation('listFlowRuns', 'List the runs of a flow', 'The newest first, those of a removed flow too.'),
  get: operation('getFlowRun', 'Get a run with its attempts', 'What was sent and what came back, attempt by attempt.'),
}

const retry = {
  operation: operation(
    'retryFlowRun',
    'Send the data of a run again',
    'It is due at once, with the same webhook-id and the same bytes, and as many attempts as a new one. ' +
      'It waits all the same while the target has asked for quiet, is failing, or was switched off by the server: see the health of the flow. ' +
      '409 while it is due, or when it has succeeded, unless that is forced; always while an attempt is under way, when somebody has ' +
      'switched the flow off, and after it was removed.',
  ),
  force: 'Also when it has succeeded, or is due only later.',
  response: { 202: StartedRun },
  retried: [],
  refusals: {
    due: () =>
      conflict(
        'run_due',
        'This run is due, now or at next_attempt_at. force makes it due now; while its target has asked for quiet, is failing or is switched off, it waits all the same: see health of the flow.',
      ),
    delivered: () => conflict('run_succeeded', 'This run has succeeded; force sends its data again.'),
    under_way: () => conflict('run_under_way', 'An attempt of this run is under way; wait for its end.'),
    gone: () => conflict('run_ended', 'The flow of this run was removed, or its data is not kept any more.'),
  },
} as const satisfies Omit<RetryByQueue, 'redeliveries' | 'check' | 'toAnswer'>
