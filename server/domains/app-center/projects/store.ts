import { sql, type ColumnType, type Selectable } from 'kysely'
import { Type } from 'typebox'
import type { Environment, Platform } from '#events/projects.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { SealedColumn } from '#platform/crypto/reseal.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, equals, oneOf, time } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { projectStatuses, type Project, type ProjectFields } from './project.ts'
import { noObjects } from './project-shape.ts'
import type { Tree } from './shape.ts'

type Own = ProjectFields & Pick<Project, 'id' | 'organizationId' | 'lastActivityAt' | 'createdAt' | 'updatedAt'>
interface ProjectsTable extends Own {
  /** The nested objects but for the app statuses, encrypted as one text: whatever could open a door elsewhere. */
  readonly sealed: string
  readonly appStatuses: ColumnType<Tree, string, string>
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

/** Where projects keep what is sealed. */
export const sealedProjects: SealedColumn = { table: 'projects', column: 'sealed' }

/** @throws when it was sealed with a SECRET_KEY that is not known. */
const opened = (vault: Vault, { sealed, appStatuses, ...row }: Selectable<ProjectsTable>): Project => ({
  ...row,
  ...noObjects,
  ...(JSON.parse(vault.open(sealed)) as Partial<Project>),
  appStatuses,
})

/** What of a project can change, as it is kept. */
const kept = (vault: Vault, project: Project) => {
  const { name, slug, description, status, appIconUrl, updatedAt } = project
  const { credential, additionalCredentials, storeCredentials, appStatuses } = project
  const sealed = vault.seal(JSON.stringify({ credential, additionalCredentials, storeCredentials }))
  return { name, slug, description, status, appIconUrl, updatedAt, sealed, appStatuses: JSON.stringify(appStatuses) }
}

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
  const query = tx.updateTable('projects').set(kept(vault, project)).where('id', '=', project.id)
  return (await unlessTaken(query.execute(), 'projects_organization_id_slug_key')) !== 'taken'
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
    createdAt: time('createdAt', 'Made'),
    updatedAt: time('updatedAt', 'Changed'),
  },
})

export const listProjects = async (
  db: Db,
  vault: Vault,
  query: Page,
  organizationId: string,
): Promise<Rows<Project>> => {
  const own = db.selectFrom('projects').select(columns).where('organizationId', '=', organizationId)
  return mapRows(await readList(db, projectList, query, own), (row) => opened(vault, row))
}

const maxOpened = 200

/**
 * Projects that changed last, opened, at most 200: what is sealed can only be looked at one by one.
 * @param userId of organizations of this member; null: of all.
 */
export const newestProjects = async (db: Db, vault: Vault, userId: number | null): Promise<Project[]> => {
  const rows = await db
    .selectFrom('projects')
    .select(columns)
    .$if(userId !== null, (query) =>
      query.where(
        sql<boolean>`organization_id in (select organization_id from organization_members where user_id = ${userId})`,
      ),
    )
    .orderBy('id', 'desc')
    .limit(maxOpened)
    .execute()
  return rows.map((row) => opened(vault, row))
}

/** The newest version of a project for a platform and environment (document 1, app-status object). */
interface NewAppStatus {
  readonly projectId: string
  readonly platform: Platform
  readonly environment: Environment
  /** All of it: it takes the place of what is there, so that no version shows the tag of another. */
  readonly status: Readonly<Record<string, string | number | boolean>>
  readonly at: Date
}

/**
 * Puts one app status in its place and says that something of the project was distributed. The statuses of other
 * platforms and environments stay, also those that others write at once: one statement reads and writes the row.
 */
export const recordAppStatus = async (tx: Tx, { projectId, platform, environment, status, at }: NewAppStatus) => {
  await sql`
    update projects
    set app_statuses = app_statuses || jsonb_build_object(
          ${platform}::text,
          coalesce(app_statuses -> ${platform}::text, '{}'::jsonb) || jsonb_build_object(${environment}::text, ${JSON.stringify(status)}::jsonb)
        ),
        last_activity_at = greatest(last_activity_at, ${at}),
        updated_at = greatest(updated_at, ${at})
    where id = ${projectId}`.execute(tx)
}
