import { sql } from 'kysely'
import { exactAlone, findDeliveries } from '#delivery/log/find-deliveries.ts'
import { mayCall } from '#platform/auth/principal.ts'
import type { Db } from '#platform/db/database.ts'
import type { Asked, Find, Found } from '#platform/found.ts'
import { foundOfKind } from '#platform/found.ts'
import type { Owner } from './hooks-store.ts'
import { allUrlHashes, type UrlKeys } from './url-hashes.ts'

export type HookKind = 'hook' | 'delivery'

type FindHooksDeps = UrlKeys & { readonly installationId: string }

/** Hooks by id and by their whole URL; deliveries to them by id, by `webhook-id`, and by the id of the event. */
export const makeFind =
  (deps: FindHooksDeps): Find<HookKind> =>
  async (db, principal, asked) => {
    if (!mayCall(principal, { role: 'staff', scope: 'hooks:read' })) return []
    const owner = principal.isSuperuser ? 'anyone' : principal.userId
    const [hooks, deliveries] = await Promise.all([
      findHooks(db, owner, asked, deps),
      findDeliveries(db, asked, deps.installationId),
    ])
    const own = await ownedAmong(
      db,
      owner,
      deliveries.map(({ subscriptionId }) => subscriptionId),
    )
    return [
      ...hooks,
      ...exactAlone(deliveries.filter(({ subscriptionId }) => own.has(subscriptionId)))
        .slice(0, foundOfKind)
        .map(({ id, eventType, about, status, isExact }) => ({
          kind: 'delivery' as const,
          id: String(id),
          title: eventType,
          subtitle: about,
          status,
          path: `/deliveries/${id}`,
          isExact,
        })),
    ]
  }

const ownedBy = (owner: Owner) => (owner === 'anyone' ? sql`true` : sql`user_id = ${owner}`)

const findHooks = async (db: Db, owner: Owner, { text, id }: Asked, keys: UrlKeys): Promise<Found<'hook'>[]> => {
  const hashes = /^https?:/i.test(text) ? allUrlHashes(keys, text).map(({ foldedUrlHash }) => foldedUrlHash) : []
  if (id === null && hashes.length === 0) return []
  const { rows } = await sql<Found<'hook'>>`
    select 'hook' as kind, subscription_id::text as id, array_to_string(subscriptions.event_types, ', ') as title,
      '' as subtitle, '/hooks/' || subscription_id as path, true as is_exact
    from hooks join subscriptions on subscriptions.id = hooks.subscription_id
    where (subscription_id = ${id}::bigint or folded_url_hash = any(${hashes}::text[])) and removed_at is null
      and ${ownedBy(owner)} order by subscription_id limit ${sql.lit(foundOfKind)}`.execute(db)
  return rows
}

/** Those of the subscriptions that are hooks of the owner, removed or not. */
const ownedAmong = async (db: Db, owner: Owner, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select subscription_id as id from hooks where subscription_id = any(${[...ids]}::bigint[]) and ${ownedBy(owner)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}
