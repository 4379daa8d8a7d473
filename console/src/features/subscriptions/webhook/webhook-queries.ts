import { listOf, recordOf } from '#api/queries.ts'
import { useParam } from '#ui/use-params.ts'

/** What names a webhook in the paths of the API. */
export interface WebhookPath {
  readonly organizationId: string
  readonly projectId: string
  readonly webhookId: string
}

export const webhookRoot = '/api/v1/organizations/{organizationId}/projects/{projectId}/settings/webhooks/{webhookId}'

/** The webhook of the page that is open. */
export const useWebhookPath = (): WebhookPath => ({
  organizationId: useParam('organizationId'),
  projectId: useParam('projectId'),
  webhookId: useParam('webhookId'),
})

/** The page of a webhook. */
export const pageOfWebhook = ({ organizationId, projectId, webhookId }: WebhookPath): string =>
  `/organizations/${organizationId}/projects/${projectId}/settings/webhooks/${webhookId}`

/** What the page of a webhook asks. */
export const webhookQueries = {
  webhook: (path: WebhookPath) => recordOf(webhookRoot, { path }),
  health: (path: WebhookPath) => recordOf(`${webhookRoot}/health`, { path }),
  activity: (path: WebhookPath, hours: number) => recordOf(`${webhookRoot}/activity`, { path, query: { hours } }),
  history: (path: WebhookPath) => listOf(`${webhookRoot}/health/history`, { path, query: { limit: 20 } }),
  delivery: (path: WebhookPath, deliveryId: string) =>
    recordOf(`${webhookRoot}/deliveries/{deliveryId}`, { path: { ...path, deliveryId } }),
  explain: (path: WebhookPath, deliveryId: string) =>
    recordOf(`${webhookRoot}/deliveries/{deliveryId}/explain`, { path: { ...path, deliveryId } }),
}
