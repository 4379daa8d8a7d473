import type { ReleaseStatus } from '#events/projects.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import { newObjectId } from '#platform/object-ids.ts'
import type { CreatedBetween } from './created-at.ts'
import type { Deployment, DeploymentTexts, NewDeployment } from './deployment.ts'

interface DeploymentsTable extends Deployment {
  readonly createdBy: number
}
declare module '#platform/db/database.ts' {
  interface Tables {
    deployments: DeploymentsTable
  }
}

const columns = [
  'id',
  'projectId',
  'type',
  'platform',
  'environment',
  'envVersion',
  'tag',
  'description',
  'status',
  'createdAt',
  'updatedAt',
  'finishedAt',
] as const

/** Where something is made, by whom and when. */
export interface Making {
  readonly projectId: string
  readonly createdBy: number
  readonly now: Date
}

export const insertDeployment = (
  tx: Tx,
  { projectId, createdBy, now }: Making,
  fields: NewDeployment,
): Promise<Deployment> =>
  tx
    .insertInto('deployments')
    .values({
      id: newObjectId(now),
      projectId,
      ...fields,
      status: 'created',
      createdBy,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findDeployment = (db: Db | Tx, projectId: string, id: string): Promise<Deployment | undefined> =>
  byId(db, projectId, id).executeTakeFirst()

/**
 * Reads a deployment of the project and holds it until the transaction ends: nobody else changes it meanwhile.
 * Whoever holds more than one thing takes them in this order: project, deployment, distribution.
 * @returns undefined when the project has none with this id.
 */
export const lockDeployment = (tx: Tx, projectId: string, id: string): Promise<Deployment | undefined> =>
  byId(tx, projectId, id).forNoKeyUpdate().executeTakeFirst()

const byId = (db: Db | Tx, projectId: string, id: string) =>
  db.selectFrom('deployments').select(columns).where('projectId', '=', projectId).where('id', '=', id)

export type DeploymentChanges = Partial<DeploymentTexts & { readonly status: ReleaseStatus }>

/** Writes a deployment that the caller holds in the status it was seen in. One that is in another is a bug and throws. */
export const updateDeployment = (
  tx: Tx,
  { id, projectId, status }: Deployment,
  changes: DeploymentChanges & { readonly updatedAt: Date; readonly finishedAt?: Date },
): Promise<Deployment> =>
  tx
    .updateTable('deployments')
    .set(changes)
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .where('status', '=', status)
    .returning(columns)
    .executeTakeFirstOrThrow()

export interface DeploymentFilters extends CreatedBetween {
  readonly status: readonly ReleaseStatus[] | undefined
  readonly type: Deployment['type'] | undefined
  readonly platform: Deployment['platform'] | undefined
  readonly environment: Deployment['environment'] | undefined
}

const orderColumns: Record<string, string> = { _id: 'id', createdAt: 'created_at' }
/** Fields that the list can be ordered by. */
export const deploymentOrderings = Object.keys(orderColumns)

export interface Order {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** One page of a project's deployments that fit, ordered by a field of `deploymentOrderings` and then by id. */
export const listDeployments = async (
  db: Db,
  { projectId, ...filters }: DeploymentFilters & { readonly projectId: string },
  page: Page,
  { field, direction }: Order,
): Promise<Rows<Deployment>> => {
  const { status, createdFrom, createdBefore } = filters
  const matching = db
    .selectFrom('deployments')
    .where('projectId', '=', projectId)
    .where((eb) =>
      eb.and([
        ...(['type', 'platform', 'environment'] as const).flatMap((column) => {
          const wanted = filters[column]
          return wanted === undefined ? [] : [eb(column, '=', wanted)]
        }),
        ...(status === undefined ? [] : [eb('status', 'in', status)]),
        ...(createdFrom === undefined ? [] : [eb('createdAt', '>=', createdFrom)]),
        ...(createdBefore === undefined ? [] : [eb('createdAt', '<', createdBefore)]),
      ]),
    )
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(columns)
    .orderBy(sql.ref(orderColumns[field] ?? 'id'), direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { rows, count }
}
