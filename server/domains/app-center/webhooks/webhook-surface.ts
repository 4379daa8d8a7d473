import { orNotFound } from '#platform/errors.ts'
import { camelCase, renaming } from '#delivery/surface/shape.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { objectIdOf, type Member } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { projectErrors } from '../schemas.ts'
import { WebhookParams } from './schemas.ts'
import { findSubscriptionId, findWebhook, lockWebhook, updateWebhook } from './store.ts'

/** Path of the webhooks of a project, as the router knows it. */
export const collection = '/api/v1/organizations/:organizationId/projects/:projectId/settings/webhooks'

export const webhookPath = (
  { organizationId, projectId }: Pick<Member, 'organizationId' | 'projectId'>,
  id: string,
): string => `/api/v1/organizations/${organizationId}/projects/${projectId}/settings/webhooks/${id}`

export const route = makeRouteOptions('Project webhooks', projectErrors)

type Deps = Pick<Dependencies, 'db' | 'clock' | 'subscriptions' | 'write'>

/** Webhooks as owners of subscriptions. One of another project does not exist. */
export const makeWebhookSurface = ({ db, clock, subscriptions, write }: Deps): Surface => ({
  db,
  clock,
  subscriptions,
  write,
  noun: 'webhook',
  naming: renaming(camelCase, { isActive: 'active' }),
  route,
  path: `${collection}/:webhookId`,
  params: WebhookParams,
  owner: ({ member: { projectId }, params }) => {
    const id = objectIdOf('webhookId', (params as { readonly webhookId: string }).webhookId)
    return {
      find: async (tx) => orNotFound(await findWebhook(tx, projectId, id)).subscriptionId,
      findHistory: async (tx) => orNotFound(await findSubscriptionId(tx, projectId, id)),
      lock: async (tx, changedAt) => {
        const { name, subscriptionId } = orNotFound(await lockWebhook(tx, projectId, id))
        if (changedAt !== undefined) await updateWebhook(tx, { id, name, updatedAt: changedAt })
        return subscriptionId
      },
    }
  },
})
