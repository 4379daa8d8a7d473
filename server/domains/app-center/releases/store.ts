import { sql } from 'kysely'
import {
  deploymentTypes,
  environments,
  platforms,
  releaseStatuses,
  targets,
  type ReleaseStatus,
} from '#events/projects.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList, type ReadableList } from '#platform/lists/define-list.ts'
import { custom, equals, oneOf, time, type Filters } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { objectIdOf } from '../access/index.ts'
import { pathIds } from '../schemas.ts'
import type { Deployment, Distribution, NewDeployment, NewDistribution, Release } from './release.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    deployments: Deployment & { readonly createdBy: number }
    distributions: Distribution & { readonly createdBy: number }
  }
}

/** What PATCH changes of a release. */
export type ReleaseChanges<N> = Partial<N> & { readonly status?: ReleaseStatus }

/** Rows of one kind of release; every function looks only at those of one project. */
const makeReleaseStore = <N extends object>(
  name: 'deployments' | 'distributions',
  own: readonly (keyof N)[],
  list: ReadableList,
) => {
  // Statements are typed for one table of the two; which columns there are is said by `own`.
  const table = name as 'deployments'
  const columns = ['id', 'projectId', ...own, 'status', 'createdAt', 'updatedAt', 'finishedAt'] as (keyof Deployment)[]
  type Row = N & Release
  const rowsOf = (db: Db | Tx, projectId: string) =>
    db.selectFrom(table).select(columns).where('projectId', '=', projectId).$castTo<Row>()

  return {
    insert: (
      tx: Tx,
      { now, ...making }: { readonly projectId: string; readonly createdBy: number; readonly now: Date },
      fields: N,
    ): Promise<Row> => {
      const row = { id: newObjectId(now), ...making, ...fields, status: 'created', createdAt: now, updatedAt: now }
      const values = { ...row, finishedAt: null } as object as Deployment & { createdBy: number }
      return tx.insertInto(table).values(values).returning(columns).$castTo<Row>().executeTakeFirstOrThrow()
    },
    find: (db: Db | Tx, projectId: string, id: string): Promise<Row | undefined> =>
      rowsOf(db, projectId).where('id', '=', id).executeTakeFirst(),
    /**
     * Holds the row until the transaction ends: nobody else changes it meanwhile. Whoever holds more than one row takes
     * them in the order project, deployment, distribution.
     */
    lock: (tx: Tx, projectId: string, id: string): Promise<Row | undefined> =>
      rowsOf(tx, projectId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
    /** Writes a release that the caller holds in the status it was seen in. One that is in another is a bug and throws. */
    update: (
      tx: Tx,
      { id, projectId, status }: Release,
      changes: ReleaseChanges<N> & { readonly updatedAt: Date; readonly finishedAt?: Date },
    ): Promise<Row> =>
      tx
        .updateTable(table)
        .set(changes as Partial<Deployment>)
        .where('projectId', '=', projectId)
        .where('id', '=', id)
        .where('status', '=', status)
        .returning(columns)
        .$castTo<Row>()
        .executeTakeFirstOrThrow(),
    list: (db: Db, query: Page, projectId: string): Promise<Rows<Row>> =>
      readList(db, list, query, rowsOf(db, projectId)),
  }
}
export type ReleaseStore<N extends object> = ReturnType<typeof makeReleaseStore<N>>

const releaseList = <const F extends Filters>(own: F) =>
  defineList({
    orderings: { _id: 'id', createdAt: 'created_at' },
    defaultOrdering: '-createdAt',
    filters: {
      createdAt: time('created_at', 'Created'),
      updatedAt: time('updated_at', 'Changed'),
      status: oneOf('status', OneOf(releaseStatuses)),
      ...own,
      platform: equals('platform', OneOf(platforms)),
      environment: equals('environment', OneOf(environments)),
    },
  })

export const deploymentList = releaseList({ type: equals('type', OneOf(deploymentTypes)) })
export const deploymentStore = makeReleaseStore<NewDeployment>(
  'deployments',
  ['type', 'platform', 'environment', 'envVersion', 'tag', 'description'],
  deploymentList,
)

export const distributionList = releaseList({
  deployment: custom(pathIds.deploymentId, (text, name) => sql<boolean>`deployment_id = ${objectIdOf(name, text)}`),
  target: equals('target', OneOf(targets)),
})
export const distributionStore = makeReleaseStore<NewDistribution>(
  'distributions',
  [
    'deploymentId',
    'target',
    'platform',
    'environment',
    'envVersion',
    'storeVersion',
    'tag',
    'publisher',
    'versionCode',
  ],
  distributionList,
)

/** Holds the project until the transaction ends: `shared` keeps it there, `alone` also keeps others from changing it. */
export const holdProject = (tx: Tx, projectId: string, how: 'shared' | 'alone'): Promise<unknown> => {
  const query = tx.selectFrom('projects').select('id').where('id', '=', projectId)
  return (how === 'alone' ? query.forNoKeyUpdate() : query.forKeyShare()).execute()
}
