import type { ReleaseStatus } from '#events/projects.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import { newObjectId } from '#platform/object-ids.ts'
import type { CreatedBetween, Making, Order } from '../deployments/index.ts'
import type { Distribution, DistributionTexts, NewDistribution } from './distribution.ts'

interface DistributionsTable extends Distribution {
  readonly createdBy: number
}
declare module '#platform/db/database.ts' {
  interface Tables {
    distributions: DistributionsTable
  }
}

const columns = [
  'id',
  'projectId',
  'deploymentId',
  'target',
  'platform',
  'environment',
  'envVersion',
  'storeVersion',
  'tag',
  'publisher',
  'versionCode',
  'status',
  'createdAt',
  'updatedAt',
  'finishedAt',
] as const

/** Adds a distribution. The caller holds its deployment. */
export const insertDistribution = (
  tx: Tx,
  { projectId, createdBy, now }: Making,
  fields: NewDistribution,
): Promise<Distribution> =>
  tx
    .insertInto('distributions')
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

export const findDistribution = (db: Db | Tx, projectId: string, id: string): Promise<Distribution | undefined> =>
  byId(db, projectId, id).executeTakeFirst()

/** Reads a distribution of the project and holds it until the transaction ends: nobody else changes it meanwhile. */
export const lockDistribution = (tx: Tx, projectId: string, id: string): Promise<Distribution | undefined> =>
  byId(tx, projectId, id).forNoKeyUpdate().executeTakeFirst()

const byId = (db: Db | Tx, projectId: string, id: string) =>
  db.selectFrom('distributions').select(columns).where('projectId', '=', projectId).where('id', '=', id)

/** Holds the project until the transaction ends: `shared` keeps it there, `alone` also keeps others from changing it. */
export const holdProject = (tx: Tx, projectId: string, how: 'shared' | 'alone'): Promise<unknown> => {
  const query = tx.selectFrom('projects').select('id').where('id', '=', projectId)
  return (how === 'alone' ? query.forNoKeyUpdate() : query.forKeyShare()).execute()
}

export type DistributionChanges = Partial<DistributionTexts & { readonly status: ReleaseStatus }>

/** Writes a distribution that the caller holds in the status it was seen in. One that is in another is a bug and throws. */
export const updateDistribution = (
  tx: Tx,
  { id, projectId, status }: Distribution,
  changes: DistributionChanges & { readonly updatedAt: Date; readonly finishedAt?: Date },
): Promise<Distribution> =>
  tx
    .updateTable('distributions')
    .set(changes)
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .where('status', '=', status)
    .returning(columns)
    .executeTakeFirstOrThrow()

export interface DistributionFilters extends CreatedBetween {
  readonly status: readonly ReleaseStatus[] | undefined
  readonly deploymentId: string | undefined
  readonly target: Distribution['target'] | undefined
  readonly platform: Distribution['platform'] | undefined
  readonly environment: Distribution['environment'] | undefined
}

const orderColumns: Record<string, string> = { _id: 'id', createdAt: 'created_at' }
/** Fields that the list can be ordered by. */
export const distributionOrderings = Object.keys(orderColumns)

/** One page of a project's distributions that fit, ordered by a field of `distributionOrderings` and then by id. */
export const listDistributions = async (
  db: Db,
  { projectId, ...filters }: DistributionFilters & { readonly projectId: string },
  page: Page,
  { field, direction }: Order,
): Promise<Rows<Distribution>> => {
  const { status, createdFrom, createdBefore } = filters
  const matching = db
    .selectFrom('distributions')
    .where('projectId', '=', projectId)
    .where((eb) =>
      eb.and([
        ...(['deploymentId', 'target', 'platform', 'environment'] as const).flatMap((column) => {
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
