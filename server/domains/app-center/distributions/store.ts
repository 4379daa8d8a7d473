import { sql } from 'kysely'
import { environments, platforms, releaseStatuses, targets, type ReleaseStatus } from '#events/projects.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { custom, equals, oneOf, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { objectIdOf } from '../access/index.ts'
import { pathIds } from '../path-ids.ts'
import type { Making } from '../deployments/index.ts'
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

export const distributionList = defineList({
  orderings: { _id: 'id', createdAt: 'created_at' },
  defaultOrdering: '-createdAt',
  filters: {
    createdAt: time('created_at', 'Created'),
    status: oneOf('status', OneOf(releaseStatuses)),
    deployment: custom(pathIds.deploymentId, (text, name) => sql<boolean>`deployment_id = ${objectIdOf(name, text)}`),
    target: equals('target', OneOf(targets)),
    platform: equals('platform', OneOf(platforms)),
    environment: equals('environment', OneOf(environments)),
  },
})

/** One page of a project's distributions. */
export const listDistributions = (db: Db, query: Page, projectId: string): Promise<Rows<Distribution>> =>
  readList(distributionList, query, db.selectFrom('distributions').select(columns).where('projectId', '=', projectId))
