import type { Member } from '../access/index.ts'

/** Path of the webhooks of a project, as the router knows it. */
export const collection = '/api/v1/organizations/:organizationId/projects/:projectId/settings/webhooks'

/** Path of one webhook. */
export const webhookPath = (
  { organizationId, projectId }: Pick<Member, 'organizationId' | 'projectId'>,
  id: string,
): string => `/api/v1/organizations/${organizationId}/projects/${projectId}/settings/webhooks/${id}`
