import { sql } from 'kysely'
import { troubled } from '#delivery/health/troubled.ts'
import { sealedSettings, type SealedSettings } from '#delivery/subscriptions/subscriptions.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'

interface ProjectWebhooksTable {
  id: string
  projectId: string
  subscriptionId: number
  name: string
  createdBy: number
  createdAt: Date
  updatedAt: Date
  /** The row of a removed webhook stays: it leads to what was delivered. */
  removedAt: Date | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    projectWebhooks: ProjectWebhooksTable
  }
}

/** The project's side of a subscription. */
export type Webhook = Readonly<Omit<ProjectWebhooksTable, 'removedAt'>>

/** A webhook with the settings that the engine keeps of it. */
export interface SealedWebhook extends Webhook {
  readonly settings: SealedSettings
}

const columns = (['id', 'projectId', 'subscriptionId', 'name', 'createdBy', 'createdAt', 'updatedAt'] as const).map(
  (column) => `projectWebhooks.${column}` as const,
)

/** Holds back everybody else who makes a webhook in the project until the transaction ends. @returns how many it has. */
export const holdWebhooksOf = async (tx: Tx, projectId: string): Promise<number> => {
  // Not FOR UPDATE: what refers to the project, such as a new deployment, need not wait.
  await sql`select from projects where id = ${projectId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('projectWebhooks')
    .select(sql<number>`count(*)`.as('count'))
    .where('projectId', '=', projectId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const insertWebhook = (tx: Tx, webhook: Webhook): Promise<unknown> =>
  tx
    .insertInto('projectWebhooks')
    .values({ ...webhook, removedAt: null })
    .execute()

export const updateWebhook = (tx: Tx, { id, name, updatedAt }: Pick<Webhook, 'id' | 'name' | 'updatedAt'>) =>
  tx.updateTable('projectWebhooks').set({ name, updatedAt }).where('id', '=', id).execute()

/** Keeps the row for what was delivered; nothing else finds it any more. */
export const markRemoved = (tx: Tx, id: string, removedAt: Date): Promise<unknown> =>
  tx.updateTable('projectWebhooks').set({ removedAt }).where('id', '=', id).execute()

export const findWebhook = (db: Db | Tx, projectId: string, id: string): Promise<SealedWebhook | undefined> =>
  sealedWebhooks(db, projectId).where('id', '=', id).executeTakeFirst()

const settings = sealedSettings(sql`project_webhooks.subscription_id`).as('settings')

const sealedWebhooks = (db: Db | Tx, projectId: string) =>
  db
    .selectFrom('projectWebhooks')
    .select([...columns, settings])
    .where('projectId', '=', projectId)
    .where('removedAt', 'is', null)
    .$castTo<SealedWebhook>()

/** The subscription of a webhook, also of one that was removed; undefined when the project never had it. */
export const findSubscriptionId = async (db: Db | Tx, projectId: string, id: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('projectWebhooks')
    .select('subscriptionId')
    .where('projectId', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.subscriptionId
}

/** Like findWebhook, and neither people nor the engine change it or its subscription until the transaction ends. */
export const lockWebhook = (tx: Tx, projectId: string, id: string): Promise<Webhook | undefined> =>
  tx
    .selectFrom('projectWebhooks')
    .innerJoin('subscriptions', 'subscriptions.id', 'projectWebhooks.subscriptionId')
    .select(columns)
    .where('projectWebhooks.projectId', '=', projectId)
    .where('projectWebhooks.id', '=', id)
    .where('projectWebhooks.removedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const webhookList = defineList({
  orderings: { _id: 'id', name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' },
  defaultOrdering: 'createdAt',
  filters: { createdAt: time('created_at', 'Made'), updatedAt: time('updated_at', 'Changed') },
})

export const listWebhooks = (db: Db, projectId: string, query: Page): Promise<Rows<SealedWebhook>> =>
  readList(db, webhookList, query, sealedWebhooks(db, projectId))

/** How many webhooks fail, and how many the server has switched off. @param userId of organizations of this member; null: of all. */
export const countTroubledWebhooks = (db: Db, userId: number | null) =>
  db
    .selectFrom('projectWebhooks')
    .innerJoin('subscriptions', 'subscriptions.id', 'projectWebhooks.subscriptionId')
    .select(troubled)
    .where('projectWebhooks.removedAt', 'is', null)
    .$if(userId !== null, (query) =>
      query.where(
        sql<boolean>`project_webhooks.project_id in (select projects.id from projects
          join organization_members member using (organization_id) where member.user_id = ${userId})`,
      ),
    )
    .executeTakeFirstOrThrow()

/** Deletes every webhook of an organization. @returns the subscriptions of those that were not removed yet, in the order of their ids. */
export const deleteWebhooksOf = async (tx: Tx, organizationId: string): Promise<number[]> => {
  const { rows } = await sql<{ subscriptionId: number; removedAt: Date | null }>`
    delete from project_webhooks webhook using projects project
    where project.id = webhook.project_id and project.organization_id = ${organizationId}
    returning webhook.subscription_id, webhook.removed_at`.execute(tx)
  const live = rows.filter(({ removedAt }) => removedAt === null)
  return live.map(({ subscriptionId }) => subscriptionId).toSorted((one, other) => one - other)
}

/** The webhook of a subscription, with its project and organization. */
export interface ListedWebhook {
  readonly subscriptionId: number
  readonly id: string
  readonly name: string
  readonly project: { readonly id: string; readonly name: string }
  readonly organization: { readonly id: string; readonly name: string }
}

/** Every webhook of the organizations that the user is a member of, or of all; without those that were removed. */
export const listWebhooksOfMember = async (db: Db, userId: number | 'anyone'): Promise<readonly ListedWebhook[]> => {
  const isMember =
    userId === 'anyone'
      ? sql`true`
      : sql`exists (select from organization_members member
          where member.organization_id = organization.id and member.user_id = ${userId})`
  const { rows } = await sql<ListedWebhook>`
    select webhook.subscription_id, webhook.id, webhook.name,
           json_build_object('id', project.id, 'name', project.name) as project,
           json_build_object('id', organization.id, 'name', organization.name) as organization
    from project_webhooks webhook
    join projects project on project.id = webhook.project_id
    join organizations organization on organization.id = project.organization_id
    where webhook.removed_at is null and ${isMember}`.execute(db)
  return rows
}

/** A webhook with the place it belongs to, and who gets messages about its health. */
export interface PlacedWebhook {
  readonly id: string
  readonly name: string
  readonly projectId: string
  readonly projectName: string
  readonly organizationId: string
  /** Who made it; null when they are no member of the organization (any more). */
  readonly maker: number | null
  /** Owners of the organization, the one of longest standing first. */
  readonly owners: readonly number[]
}

/** The webhook of a subscription; undefined when the subscription is no project's. */
export const findPlacedWebhook = async (db: Db | Tx, subscriptionId: number): Promise<PlacedWebhook | undefined> => {
  const { rows } = await sql<PlacedWebhook>`
    select webhook.id, webhook.name, project.id as project_id, project.name as project_name, project.organization_id,
           maker.user_id as maker,
           array(select owner.user_id from organization_members owner
                 where owner.organization_id = project.organization_id and owner.role = 'owner'
                 order by owner.created_at, owner.user_id) as owners
    from project_webhooks webhook
    join projects project on project.id = webhook.project_id
    left join organization_members maker on maker.organization_id = project.organization_id
      and maker.user_id = webhook.created_by
    where webhook.subscription_id = ${subscriptionId} and webhook.removed_at is null`.execute(db)
  return rows[0]
}
