import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { maskedHeaders } from '#delivery/subscriber/mask.ts'
import { changeSettings } from '#delivery/surface/owned.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { Subscription } from '#delivery/subscriber/subscription.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Described } from '#platform/http/schemas.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { changing, reading, objectIdOf } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { ProjectRecord, readProjectRecord } from '../projects/index.ts'
import { NewWebhook, PartOfWebhook, ProjectParams, WebhookRecord } from './schemas.ts'
import {
  findWebhook,
  holdWebhooksOf,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  markRemoved,
  updateWebhook,
  webhookList,
  type SealedWebhook,
  type Webhook,
} from './store.ts'
import { newSettings, readWebhookInput, settingsFields, subscribedEvents } from './webhook-input.ts'
import { collection, route, webhookPath } from './webhook-surface.ts'
import { mapRows } from '#platform/lists/page.ts'

type Deps = Surface & Pick<Dependencies, 'baseUrl' | 'vault' | 'checkUrl' | 'subscriptions' | 'redeliveries'>

/** A webhook with the settings the engine keeps of it. */
type FullWebhook = Webhook & { readonly settings: Subscription }

/** What creations and changes answer. */
interface ChangedProject {
  /** Of the webhook. */
  readonly id: string
  readonly project: ProjectRecord
}

/**
 * The webhook settings of a project (document 1, "Endpoints"). Whoever makes or changes one is answered the project. All
 * writes lock in this order: the project, the webhook, its subscription. A webhook of another project is 404.
 */
export const webhookRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock, subscriptions, vault, checkUrl } = deps
    const place = {
      path: collection,
      params: ProjectParams,
      one: {
        path: deps.path,
        params: deps.params,
        idOf: ({ params }: FastifyRequest) =>
          objectIdOf('webhookId', (params as { readonly webhookId: string }).webhookId),
      },
      route,
    }
    const webhooks = recordRoutes<FullWebhook, string>(app, deps, { ...place, record: WebhookRecord, toWire: toRecord })
    const changes = recordRoutes<ChangedProject, string>(app, deps, {
      ...place,
      record: Described('The project; `Location` names a new webhook.', ProjectRecord),
      toWire: ({ project }) => project,
      pathOf: ({ id }, { member }) => webhookPath(member, id),
    })
    const changed = async (tx: Tx, id: string, { member: { projectId } }: FastifyRequest): Promise<ChangedProject> => ({
      id,
      project: await readProjectRecord(tx, vault, projectId),
    })

    const opened = (webhook: SealedWebhook): FullWebhook => ({
      ...webhook,
      settings: subscriptions.open(webhook.settings),
    })
    webhooks.list(operations.list, webhookList, async (db, query, { member }) => {
      return mapRows(await listWebhooks(db, member.projectId, query), opened)
    })
    changes.create(operations.create, NewWebhook, async (tx, body, request) => {
      const { name = '', settings } = readWebhookInput(body, checkUrl)
      const { projectId, principal } = request.member
      if ((await holdWebhooksOf(tx, projectId)) >= maxWebhooks) throw tooMany()
      const now = clock.now()
      const id = newObjectId(now)
      const subscriptionId = await subscriptions.create(tx, newSettings(projectId, settings))
      const made = { createdBy: principal.userId, createdAt: now, updatedAt: now }
      await insertWebhook(tx, { id, projectId, subscriptionId, name, ...made })
      return changed(tx, id, request)
    })
    webhooks.get(operations.get, async (db, id, { member }) =>
      opened(orNotFound(await findWebhook(db, member.projectId, id))),
    )
    changes.update(operations.patch, PartOfWebhook, async (tx, id, body, request) => {
      const { name, settings } = readWebhookInput(body, checkUrl)
      const before = orNotFound(await lockWebhook(tx, request.member.projectId, id))
      await changeSettings(tx, deps, before.subscriptionId, { sent: settings, fields: settingsFields })
      await updateWebhook(tx, { id, name: name ?? before.name, updatedAt: clock.now() })
      return changed(tx, id, request)
    })
    webhooks.remove(operations.remove, async (tx, id, { member }) => {
      const { subscriptionId } = orNotFound(await lockWebhook(tx, member.projectId, id))
      await markRemoved(tx, id, clock.now())
      await subscriptions.remove(tx, subscriptionId)
    })
  }

/** At most so many in a project (contract, section 3). */
const maxWebhooks = 50
const tooMany = () =>
  invalidField('non_field_errors', `A project has at most ${maxWebhooks} webhooks; remove one first.`)

/** A webhook as answers show it: without its secret, and without what lets the sender in at the receiver. */
const toRecord = makeToWire<FullWebhook, typeof WebhookRecord>(WebhookRecord, {
  _id: 'id',
  url: ({ settings }) => settings.url,
  headers: ({ settings }) => maskedHeaders(settings.headers ?? {}),
  active: ({ settings }) => settings.isActive,
  events: ({ settings }) => subscribedEvents(settings.eventTypes),
})

const operations = {
  list: reading('listProjectWebhooks', 'List the webhooks of a project'),
  create: changing(
    'createProjectWebhook',
    'Make a webhook',
    'At most 50 in a project. The answer is the project; `Location` names the new webhook.',
  ),
  get: reading('getProjectWebhook', 'Get a webhook'),
  patch: changing(
    'updateProjectWebhook',
    'Change a webhook',
    'What the body does not name stays as it is; headers and events are replaced as a whole. The answer is the project. ' +
      'When url changes to another scheme, host or port, headers that carry credentials have to be sent again.',
  ),
  remove: changing(
    'deleteProjectWebhook',
    'Remove a webhook',
    'What was still due is cancelled. What was delivered can still be read.',
  ),
}
