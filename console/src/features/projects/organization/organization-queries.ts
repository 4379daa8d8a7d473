import { listOf, recordOf } from '#api/queries.ts'

export const organization = '/api/v1/organizations/{organizationId}' as const

export const organizationOf = (organizationId: string) => recordOf(organization, { path: { organizationId } })

export const projectsOf = (organizationId: string) =>
  listOf(`${organization}/projects`, { path: { organizationId }, query: { limit: 100, ordering: 'name' } })

export const membersOf = (organizationId: string) =>
  listOf(`${organization}/members`, { path: { organizationId }, query: { limit: 100 } })
