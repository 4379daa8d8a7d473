import { sql, type RawBuilder } from 'kysely'
import { mayCall, type Principal, type Scope } from '#platform/auth/principal.ts'

/**
 * Which events a principal may read whoever was told of them, as a condition on columns of events. How webhooks are doing is for
 * superusers; a key that is limited to scopes also needs the one that reads what the event is about.
 */
export const openEvents = (principal: Principal): RawBuilder<boolean> => {
  const { isSuperuser, scopes } = principal
  if (scopes === null) return isSuperuser ? sql`true` : sql`type not like 'webhook.%'`
  const reads = (scope: Scope): boolean => mayCall(principal, { role: 'staff', scope })
  return sql`(case when type like 'webhook.%' then ${isSuperuser}::boolean
    when object_type = 'quotation' then ${reads('quotations:read')}::boolean
    else ${reads('order-management:read')}::boolean end)`
}
