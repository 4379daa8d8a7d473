import { environments, platforms, releaseStatuses, type ReleaseStatus } from '#events/projects.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, oneOf, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { deploymentTypes, type Deployment, type DeploymentTexts, type NewDeployment } from './deployment.ts'

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

export const deploymentList = defineList({
  orderings: { _id: 'id', createdAt: 'created_at' },
  defaultOrdering: '-createdAt',
  filters: {
    createdAt: time('created_at', 'Created'),
    status: oneOf('status', OneOf(releaseStatuses)),
    type: equals('type', OneOf(deploymentTypes)),
    platform: equals('platform', OneOf(platforms)),
    environment: equals('environment', OneOf(environments)),
  },
})

/** One page of a project's deployments. */
export const listDeployments = (db: Db, query: Page, projectId: string): Promise<Rows<Deployment>> =>
  readList(deploymentList, query, db.selectFrom('deployments').select(columns).where('projectId', '=', projectId))
