import { sql } from 'kysely'
import { exactAlone, findDeliveries } from '#delivery/log/find-deliveries.ts'
import { mayCall } from '#platform/auth/principal.ts'
import type { Db } from '#platform/db/database.ts'
import { foundOfKind, type Asked, type Find, type Found } from '#platform/found.ts'
import { textIn } from '#platform/lists/filters.ts'
import { fromObjectId, parseObjectId, toObjectId } from '#platform/object-ids.ts'

export type ProjectKind = 'organization' | 'project' | 'webhook' | 'deployment' | 'distribution' | 'webhook_delivery'

type Rows = readonly Found<ProjectKind>[]
/** Whose organizations are looked in; null: all. */
type Member = number | null

/** What is in the organizations of the principal, by id of 24 digits; organizations and projects also by a part of the name. */
export const makeFind =
  (installationId: string): Find<ProjectKind> =>
  async (db, principal, asked) => {
    if (!mayCall(principal, { role: 'user', scope: 'projects:read' })) return []
    const member = principal.isSuperuser ? null : principal.userId
    const found = await Promise.all([
      findById(db, asked, member),
      findNamed(db, asked, member),
      findWebhookDeliveries(db, asked, { member, installationId }),
    ])
    return found.flat()
  }

const isVisible = (member: Member) =>
  member === null
    ? sql`true`
    : sql`organization.id in (select organization_id from organization_members where user_id = ${member})`

const projectPath = sql`'/organizations/' || organization.id || '/projects/' || project.id`
const places = sql`join organizations organization on organization.id = project.organization_id`

const findById = async (db: Db, { text }: Asked, member: Member): Promise<Rows> => {
  const id = parseObjectId(text)
  if (id === undefined) return []
  const ofProject = (table: 'deployments' | 'distributions', kind: ProjectKind, title: string) => sql`
    select ${sql.lit(kind)}, one.id, ${sql.raw(title)}, project.name, ${projectPath} || '/${sql.raw(table)}/' || one.id, true
    from ${sql.table(table)} one join projects project on project.id = one.project_id ${places}
    where one.id = ${id} and ${isVisible(member)}`
  const { rows } = await sql<Found<ProjectKind>>`
    select 'organization' as kind, id, name as title, '' as subtitle, '/organizations/' || id as path, true as is_exact
    from organizations organization where id = ${id} and ${isVisible(member)}
    union all
    select 'project', project.id, project.name, organization.name, ${projectPath}, true
    from projects project ${places} where project.id = ${id} and ${isVisible(member)}
    union all
    select 'webhook', webhook.id, webhook.name, project.name, ${projectPath} || '/settings/webhooks/' || webhook.id, true
    from project_webhooks webhook join projects project on project.id = webhook.project_id ${places}
    where webhook.id = ${id} and webhook.removed_at is null and ${isVisible(member)}
    union all ${ofProject('deployments', 'deployment', `concat_ws(' ', one.type, one.platform, one.environment, one.tag)`)}
    union all ${ofProject('distributions', 'distribution', `concat_ws(' ', one.target, one.platform, one.environment, one.tag)`)}
  `.execute(db)
  return rows
}

/** Among the newest 1,000 of each that the member can see. */
const findNamed = async (db: Db, { part }: Asked, member: Member): Promise<Rows> => {
  if (part === null) return []
  const named = textIn(sql`lower(name)`, part, (text) => sql`lower(${text}::text)`)
  const { rows } = await sql<Found<ProjectKind>>`
    (select 'organization' as kind, id, name as title, '' as subtitle, '/organizations/' || id as path, false as is_exact
      from (select id, name from organizations organization where ${isVisible(member)} order by id desc limit 1000) newest
      where ${named} limit ${sql.lit(foundOfKind)})
    union all
    (select 'project', id, name, place, path, false
      from (select project.id, project.name, organization.name as place, ${projectPath} as path
        from projects project ${places} where ${isVisible(member)} order by project.id desc limit 1000) newest
      where ${named} limit ${sql.lit(foundOfKind)})`.execute(db)
  return rows
}

const findWebhookDeliveries = async (
  db: Db,
  { text, id }: Asked,
  { member, installationId }: { readonly member: Member; readonly installationId: string },
): Promise<Rows> => {
  const deliveries = await findDeliveries(db, { text, id: fromObjectId(text) ?? id }, installationId)
  if (deliveries.length === 0) return []
  const { rows } = await sql<{ subscriptionId: number; path: string }>`
    select webhook.subscription_id, ${projectPath} || '/settings/webhooks/' || webhook.id || '/deliveries/' as path
    from project_webhooks webhook join projects project on project.id = webhook.project_id ${places}
    where webhook.subscription_id = any(${deliveries.map(({ subscriptionId }) => subscriptionId)}::bigint[])
      and ${isVisible(member)}`.execute(db)
  const paths = new Map(rows.map(({ subscriptionId, path }) => [subscriptionId, path]))
  const seen = deliveries.filter(({ subscriptionId }) => paths.has(subscriptionId))
  return exactAlone(seen).flatMap(({ id: found, subscriptionId, eventType, about, status, isExact }) => {
    const path = paths.get(subscriptionId)
    if (path === undefined) return []
    const shown = toObjectId(found)
    return [
      {
        kind: 'webhook_delivery' as const,
        id: shown,
        title: eventType,
        subtitle: about,
        status,
        path: path + shown,
        isExact,
      },
    ]
  })
}
