import type { ColumnType, Selectable } from 'kysely'
import { Type } from 'typebox'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { isUniqueViolation } from '#platform/db/sql-errors.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, equals, oneOf } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Project } from './project.ts'
import { openCredentials, sealCredentials } from './sealed.ts'
import type { Tree } from './shape.ts'
import { projectStatuses, type ProjectStatus } from './status.ts'

interface ProjectsTable {
  id: string
  organizationId: string
  name: string
  slug: string
  description: string
  status: ProjectStatus
  appIconUrl: string | null
  sealed: string
  appStatuses: ColumnType<Tree, string, string>
  lastActivityAt: Date | null
  createdAt: Date
  updatedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    projects: ProjectsTable
  }
}

const columns = [
  'id',
  'organizationId',
  'name',
  'slug',
  'description',
  'status',
  'appIconUrl',
  'sealed',
  'appStatuses',
  'lastActivityAt',
  'createdAt',
  'updatedAt',
] as const

const opened = (vault: Vault, { sealed, ...row }: Selectable<ProjectsTable>): Project => ({
  ...row,
  ...openCredentials(vault, sealed),
})

/** What of a project can change, as it is kept. */
const kept = (vault: Vault, project: Project) => ({
  name: project.name,
  slug: project.slug,
  description: project.description,
  status: project.status,
  appIconUrl: project.appIconUrl,
  sealed: sealCredentials(vault, project),
  appStatuses: JSON.stringify(project.appStatuses),
  updatedAt: project.updatedAt,
})

/** @returns false when the organization has the slug already. Of two that take it at once, the second waits for the first. */
export const insertProject = async (tx: Tx, vault: Vault, project: Project): Promise<boolean> => {
  const { id, organizationId, createdAt, lastActivityAt } = project
  const inserted = await tx
    .insertInto('projects')
    .values({ id, organizationId, createdAt, lastActivityAt, ...kept(vault, project) })
    .onConflict((oc) => oc.columns(['organizationId', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Writes a project that the caller holds.
 * @returns false when the organization has another one with the slug; the transaction is then beyond use.
 */
export const updateProject = async (tx: Tx, vault: Vault, project: Project): Promise<boolean> => {
  try {
    await tx.updateTable('projects').set(kept(vault, project)).where('id', '=', project.id).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'projects_organization_id_slug_key')) return false
    throw error
  }
}

const byId = (db: Db | Tx, id: string) => db.selectFrom('projects').select(columns).where('id', '=', id)

export const findProject = async (db: Db | Tx, vault: Vault, id: string): Promise<Project | undefined> => {
  const row = await byId(db, id).executeTakeFirst()
  return row && opened(vault, row)
}

/** Reads a project and holds it until the transaction ends: nobody else changes it meanwhile. */
export const lockProject = async (tx: Tx, vault: Vault, id: string): Promise<Project | undefined> => {
  const row = await byId(tx, id).forNoKeyUpdate().executeTakeFirst()
  return row && opened(vault, row)
}

export const projectList = defineList({
  orderings: { _id: 'id', name: 'name', slug: 'slug', createdAt: 'createdAt', updatedAt: 'updatedAt' },
  defaultOrdering: 'createdAt',
  filters: {
    status: oneOf('status', OneOf(projectStatuses)),
    name: contains('name', 'the name'),
    slug: equals('slug', Type.String({ description: 'The whole slug.' })),
  },
})

/** One page of an organization's projects. */
export const listProjects = async (
  db: Db,
  vault: Vault,
  query: Page,
  organizationId: string,
): Promise<Rows<Project>> => {
  const own = db.selectFrom('projects').select(columns).where('organizationId', '=', organizationId)
  const found = await readList(projectList, query, own)
  return { ...found, rows: found.rows.map((row) => opened(vault, row)) }
}
