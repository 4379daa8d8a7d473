import { maskedHeaders } from '#delivery/subscriber/mask.ts'
import { changeSettings, withSettings } from '#delivery/surface/owned.ts'
import { crudRoutes } from '#delivery/surface/crud-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { Subscription } from '#delivery/subscriber/subscription.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { Described } from '#platform/http/schemas.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { changing, reading, objectIdOf } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { ProjectRecord, readProjectRecord } from '../projects/index.ts'
import { subscribedEvents } from './event-names.ts'
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
  type Webhook,
} from './store.ts'
import { newSettings, readWebhookInput, settingsFields, type WebhookInput } from './webhook-input.ts'
import { collection, webhookPath } from './webhook-surface.ts'

type Deps = Surface & Pick<Dependencies, 'baseUrl' | 'vault' | 'checkUrl' | 'subscriptions' | 'redeliveries'>

/** A webhook with the settings the engine keeps of it. */
type FullWebhook = Webhook & { readonly settings: Subscription }

/**
 * The webhook settings of a project (document 1, "Endpoints"). Whoever makes or changes one is answered the project. All
 * writes lock in this order: the project, the webhook, its subscription. A webhook of another project is 404.
 */
export const webhookRoutes = (webhooks: Deps) => {
  const { clock, subscriptions, vault, checkUrl } = webhooks
  return crudRoutes<string, WebhookInput, FullWebhook>(webhooks, {
    collection,
    collectionParams: ProjectParams,
    querystring: webhookList.querystring,
    record: WebhookRecord,
    toRecord,
    bodies: { create: NewWebhook, patch: PartOfWebhook },
    operations,
    changed: {
      schema: Described('The project; `Location` names a new webhook.', ProjectRecord),
      read: (tx, { member }) => readProjectRecord(tx, vault, member.projectId),
    },
    attachValidation: true,
    idOf: ({ params }) => objectIdOf('webhookId', (params as { readonly webhookId: string }).webhookId),
    pathOf: ({ member }, id) => webhookPath(member, id),
    inputOf: (request) => readWebhookInput(request, checkUrl),

    async list(db, { member }, page) {
      const { rows, ...found } = await listWebhooks(db, member.projectId, page)
      return { ...found, rows: await withSettings(db, subscriptions, rows, ({ subscriptionId: id }) => id) }
    },

    async find(db, { member }, id) {
      const webhook = orNotFound(await findWebhook(db, member.projectId, id))
      return { ...webhook, settings: orNotFound(await subscriptions.find(db, webhook.subscriptionId)) }
    },

    async create(tx, { member: { principal, projectId } }, { name = '', settings }) {
      if ((await holdWebhooksOf(tx, projectId)) >= maxWebhooks) throw tooMany()
      const now = clock.now()
      const id = newObjectId(now)
      const subscriptionId = await subscriptions.create(tx, newSettings(projectId, settings))
      const made = { createdBy: principal.userId, createdAt: now, updatedAt: now }
      await insertWebhook(tx, { id, projectId, subscriptionId, name, ...made })
      return id
    },

    async change(tx, { member }, id, { name, settings }) {
      const before = orNotFound(await lockWebhook(tx, member.projectId, id))
      await changeSettings(tx, webhooks, before.subscriptionId, { sent: settings, fields: settingsFields })
      await updateWebhook(tx, { id, name: name ?? before.name, updatedAt: clock.now() })
    },

    async remove(tx, { member }, id) {
      const { subscriptionId } = orNotFound(await lockWebhook(tx, member.projectId, id))
      await markRemoved(tx, id, clock.now())
      await subscriptions.remove(tx, subscriptionId)
    },
  })
}

/** At most so many in a project (contract, section 3). */
const maxWebhooks = 50
const tooMany = () =>
  invalidField('non_field_errors', `A project has at most ${maxWebhooks} webhooks; remove one first.`)

/** A webhook as answers show it: without its secret, and without what lets the sender in at the receiver. */
const toRecord = ({ id, name, createdAt, updatedAt, settings }: FullWebhook): WebhookRecord => ({
  _id: id,
  name,
  url: settings.url,
  headers: maskedHeaders(settings.headers ?? {}),
  active: settings.isActive,
  events: subscribedEvents(settings.eventTypes),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
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
