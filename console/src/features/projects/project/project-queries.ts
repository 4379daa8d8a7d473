import { listOf, recordOf } from '#api/queries.ts'
import { useParam } from '#ui/use-params.ts'

export const project = '/api/v1/organizations/{organizationId}/projects/{projectId}' as const

export interface ProjectPath {
  readonly organizationId: string
  readonly projectId: string
}

/** Which project the address names. */
export const useProjectPath = (): ProjectPath => ({
  organizationId: useParam('organizationId'),
  projectId: useParam('projectId'),
})

export const pageOf = ({ organizationId, projectId }: ProjectPath): string =>
  `/organizations/${organizationId}/projects/${projectId}`

export const projectOf = (path: ProjectPath) => recordOf(project, { path })

const latest = { limit: 50, ordering: '-createdAt' } as const

export const deploymentsOf = (path: ProjectPath) => listOf(`${project}/deployments`, { path, query: latest })
export const distributionsOf = (path: ProjectPath) => listOf(`${project}/distributions`, { path, query: latest })
export const webhooksOf = (path: ProjectPath) => listOf(`${project}/settings/webhooks`, { path, query: { limit: 100 } })
