import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import type { Project } from './project.ts'
import { wholeShape, type ProjectObjects } from './project-shape.ts'
import type { ProjectRecord } from './schemas.ts'
import { maskTree } from './shape.ts'
import { findProject } from './store.ts'

/** The project as the API shows it (document 1, "Project"), without its secrets. */
export const toRecord = (project: Project): ProjectRecord => {
  const { id, organizationId, name, slug, description, status, lastActivityAt, appIconUrl } = project
  const { credential, additionalCredentials, storeCredentials, appStatuses } = project
  const objects: ProjectObjects = { credential, additionalCredentials, storeCredentials, appStatuses }
  return {
    _id: id,
    name,
    slug,
    description,
    organization: organizationId,
    // Each object is always there, so masking loses none.
    ...(maskTree(wholeShape, objects) as ProjectObjects),
    status,
    // A string or nothing: the document knows no null here.
    ...(lastActivityAt === null ? {} : { lastActivityAt: lastActivityAt.toISOString() }),
    ...(appIconUrl === null ? {} : { appIconUrl }),
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  }
}

/** A project as it is answered, its secrets masked. @throws AppError 404 when it has gone. */
export const readProjectRecord = async (db: Db | Tx, vault: Vault, projectId: string): Promise<ProjectRecord> =>
  toRecord(orNotFound(await findProject(db, vault, projectId)))
