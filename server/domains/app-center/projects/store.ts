import { sql, type ColumnType, type Selectable } from 'kysely'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { isUniqueViolation } from '#platform/db/sql-errors.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { Project } from './project.ts'
import { openCredentials, sealCredentials } from './sealed.ts'
import type { Tree } from './shape.ts'
import type { ProjectStatus } from './status.ts'

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

/** What a list can be ordered by: wire name → column. */
export const projectOrderings = {
  _id: 'id',
  name: 'name',
  slug: 'slug',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
} as const

export interface ProjectList extends Page {
  readonly organizationId: string
  readonly status: readonly ProjectStatus[] | undefined
  /** Part of the name; case makes no difference. */
  readonly name: string | undefined
  readonly slug: string | undefined
  readonly field: keyof typeof projectOrderings
  readonly direction: 'asc' | 'desc'
}

/** One page of an organization's projects that fit; equal ones by id. */
export const listProjects = async (db: Db, vault: Vault, list: ProjectList): Promise<Rows<Project>> => {
  const { organizationId, status, name, slug, field, direction, limit } = list
  const matching = db
    .selectFrom('projects')
    .where('organizationId', '=', organizationId)
    .where((eb) =>
      eb.and([
        ...(status === undefined ? [] : [eb('status', 'in', status)]),
        ...(name === undefined ? [] : [sql<boolean>`strpos(lower(name), lower(${name})) > 0`]),
        ...(slug === undefined ? [] : [eb('slug', '=', slug)]),
      ]),
    )
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(columns)
    .orderBy(projectOrderings[field], direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offsetOf(list))
    .execute()
  return { rows: rows.map((row) => opened(vault, row)), count }
}
