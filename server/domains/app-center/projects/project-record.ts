import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { maskTree } from './masked-tree.ts'
import type { Project } from './project.ts'
import { projectShape } from './project-shape.ts'
import type { ProjectRecord } from './schemas.ts'
import { findProject } from './store.ts'

/** The project as the API shows it (document 1, "Project"), without its secrets. */
export const toRecord = (project: Project): ProjectRecord => {
  const { appIconUrl, lastActivityAt } = project
  return {
    _id: project.id,
    name: project.name,
    slug: project.slug,
    description: project.description,
    organization: project.organizationId,
    credential: maskTree(projectShape.credential, project.credential),
    additionalCredentials: maskTree(projectShape.additionalCredentials, project.additionalCredentials),
    storeCredentials: maskTree(projectShape.storeCredentials, project.storeCredentials),
    appStatuses: maskTree(projectShape.appStatuses, project.appStatuses),
    status: project.status,
    // A string or nothing: the document knows no null here.
    ...(lastActivityAt === null ? {} : { lastActivityAt: lastActivityAt.toISOString() }),
    ...(appIconUrl === null ? {} : { appIconUrl }),
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  }
}

/** A project as it is answered, its secrets masked. @throws AppError 404 when it has gone. */
export const readProjectRecord = async (db: Db | Tx, vault: Vault, projectId: string): Promise<ProjectRecord> => {
  const project = await findProject(db, vault, projectId)
  if (project === undefined) throw notFound()
  return toRecord(project)
}
