import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { Described } from '#platform/http/schemas.ts'
import type { ValidationError } from '#platform/http/validation.ts'
import { objectIdOf, type MemberWrite } from '../access/index.ts'
import { ProjectRecord } from '../projects/index.ts'
import type { FindWebhooks } from './find-webhooks.ts'
import type { ManageWebhooks } from './manage-webhooks.ts'
import { NewWebhook, PartOfWebhook, ProjectParams, WebhookParams, WebhookRecord, type WebhookBody } from './schemas.ts'
import { webhookList } from './store.ts'
import { malformedWebhook, readWebhookInput, type WebhookInput } from './webhook-input.ts'
import { collection, webhookPath } from './webhook-path.ts'
import { toRecord } from './webhook-record.ts'
import { changing, reading, route } from './webhook-surface.ts'

export interface WebhookRoutesDeps {
  readonly db: Db
  readonly write: MemberWrite
  readonly baseUrl: () => string
  readonly webhooks: FindWebhooks & ManageWebhooks
  /** The project as it is answered. */
  readonly readProject: (tx: Tx, projectId: string) => Promise<ProjectRecord>
  readonly checkUrl: (url: string) => string | undefined
}

/** The webhook settings of a project (document 1, "Endpoints"). Whoever makes or changes one is answered the project. */
export const webhookRoutes =
  ({ db, write, baseUrl, webhooks, readProject, checkUrl }: WebhookRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const one = `${collection}/:webhookId`
    const idOf = ({ webhookId }: { readonly webhookId: string }): string => objectIdOf('webhookId', webhookId)

    const inputOf = ({ body, validationError }: Sent): WebhookInput => {
      if (validationError !== undefined) throw malformedWebhook(body, validationError.validation)
      return readWebhookInput(body, checkUrl)
    }

    app.get(collection, list, async (request, reply) => {
      const found = await webhooks.list(db, request.member.projectId, request.query)
      return sendList(reply, baseUrl(), found, toRecord)
    })

    app.post(collection, { ...create, attachValidation }, async (request, reply) => {
      const input = inputOf(request)
      return write(request, reply, async (tx, member) => {
        const id = await webhooks.create(tx, member, input)
        const location = `${baseUrl()}${webhookPath(member, id)}`
        return { status: 201, body: await readProject(tx, member.projectId), headers: { location } }
      })
    })

    app.get(one, get, async (request) =>
      toRecord(await webhooks.find(db, request.member.projectId, idOf(request.params))),
    )

    app.patch(one, { ...change, attachValidation }, async (request, reply) => {
      const id = idOf(request.params)
      const input = inputOf(request)
      return write(request, reply, async (tx, { projectId }) => {
        await webhooks.patch(tx, projectId, id, input)
        return { status: 200, body: await readProject(tx, projectId) }
      })
    })

    app.delete(one, remove, async (request, reply) => {
      const id = idOf(request.params)
      return write(request, reply, async (tx, { projectId }) => {
        await webhooks.remove(tx, projectId, id)
        return { status: 204 }
      })
    })
  }

/** The faults that the validator found come with the request, so that those of the names can be told with them. */
const attachValidation = true
interface Sent {
  readonly body: WebhookBody
  readonly validationError?: { readonly validation: readonly ValidationError[] }
}

const list = route(reading('listWebhooks', 'listProjectWebhooks', 'List the webhooks of a project'), {
  params: ProjectParams,
  querystring: webhookList.querystring,
  response: { 200: Type.Array(WebhookRecord) },
})
const create = route(
  changing(
    'createWebhook',
    'createProjectWebhook',
    'Make a webhook',
    'At most 50 in a project. The answer is the project; `Location` names the new webhook.',
  ),
  {
    params: ProjectParams,
    body: NewWebhook,
    response: { 201: Described('The project; `Location` names the new webhook.', ProjectRecord) },
  },
)
const get = route(reading('getWebhook', 'getProjectWebhook', 'Get a webhook'), {
  params: WebhookParams,
  response: { 200: WebhookRecord },
})
const change = route(
  changing(
    'updateWebhook',
    'updateProjectWebhook',
    'Change a webhook',
    'What the body does not name stays as it is; headers and events are replaced as a whole. The answer is the project. ' +
      'When url changes to another scheme, host or port, headers that carry credentials have to be sent again.',
  ),
  { params: WebhookParams, body: PartOfWebhook, response: { 200: Described('The project.', ProjectRecord) } },
)
const remove = route(
  changing(
    'deleteWebhook',
    'deleteProjectWebhook',
    'Remove a webhook',
    'What was still due is cancelled. What was delivered can still be read.',
  ),
  { params: WebhookParams, response: { 204: Type.Null() } },
)
