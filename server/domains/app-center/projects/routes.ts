import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { changing, makeMemberWrite, reading } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { makeProjectChanges, readProjectInput } from './change-project.ts'
import type { Project } from './project.ts'
import { toRecord } from './project-record.ts'
import { NewProject, OrganizationPath, ProjectChanges, ProjectPath, ProjectRecord, route } from './schemas.ts'
import { findProject, listProjects, projectList } from './store.ts'

const path = '/api/v1/organizations/:organizationId/projects'

/** Projects of an organization (document 1, "Project"; contract, section 3). */
export const projectRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, vault, baseUrl } = dependencies
    const write = makeMemberWrite(dependencies.write)
    const changes = makeProjectChanges(dependencies)
    const projects = recordRoutes<Project, string>(
      app,
      { db, write, baseUrl },
      {
        path,
        params: OrganizationPath,
        one: { path: `${path}/:projectId`, params: ProjectPath, idOf: ({ member }) => member.projectId },
        route,
        record: ProjectRecord,
        toWire: toRecord,
        pathOf: ({ id, organizationId }) => `/api/v1/organizations/${organizationId}/projects/${id}`,
      },
    )

    projects.list(operations.list, projectList, (_, query, { member }) =>
      listProjects(db, vault, query, member.organizationId),
    )
    projects.create(changing('createProject', 'Create a project'), NewProject, (tx, body, { member }) => {
      const { name, slug } = body
      return changes.create(tx, member, { ...readProjectInput(body), name, slug })
    })
    projects.get(operations.get, (_, id) => findProject(db, vault, id))
    projects.update(operations.update, ProjectChanges, (tx, _, body, { member }) =>
      changes.update(tx, member, readProjectInput(body)),
    )
  }

const operations = {
  list: reading(
    'listProjects',
    'List the projects of an organization',
    'The newest last, unless `ordering` says otherwise.',
  ),
  get: reading('getProject', 'Read a project', 'Secrets are write-only: ******** stands where one is stored.'),
  update: changing(
    'updateProject',
    'Change a project',
    'Objects are merged (RFC 7396): what is not named stays, `null` removes, lists are replaced as a whole. ' +
      '******** in place of a secret keeps the stored one. What was read can be sent back, and changes nothing.',
  ),
}
