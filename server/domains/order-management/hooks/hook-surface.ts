import { renaming, snakeCase } from '#delivery/surface/shape.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { Principal } from '#platform/auth/principal.ts'
import { orNotFound } from '#platform/errors.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses, IdParams } from '#platform/http/schemas.ts'
import { findHook, findHookWithRemoved, lockHook, touchHook, type Owner } from './hooks-store.ts'

/** Users see their own hooks, superusers all of them. */
export const visibleTo = ({ isSuperuser, userId }: Principal): Owner => (isSuperuser ? 'anyone' : userId)

export const route = makeRouteOptions('Order-management hooks', errorResponses)
export const reading = operationsFor({ access: { role: 'staff', scope: 'hooks:read' } })
export const changing = operationsFor({ access: { role: 'staff', scope: 'hooks:write' }, audited: true })

/** Changes that the original service refuses with 406. */
export const refusing = operationsFor({ access: { role: 'staff', scope: 'hooks:write' }, also: [406], audited: true })

/** `path` is `/whisperer/hooks` unless configured otherwise. */
type HookSurfaceDeps = Pick<Surface, 'db' | 'clock' | 'write' | 'subscriptions' | 'path'>

/** Hooks as owners of subscriptions: to whom a hook does not belong, it does not exist. */
export const makeHookSurface = ({ path, ...deps }: HookSurfaceDeps): Surface => ({
  ...deps,
  noun: 'hook',
  naming: renaming(snakeCase, { secret: 'secret_key' }),
  route,
  path: `${path}/:id`,
  params: IdParams,
  owner: ({ principal, params }) => {
    const owner = visibleTo(principal)
    const { id } = params as { readonly id: number }
    return {
      find: async (db) => orNotFound(await findHook(db, owner, id)).id,
      findHistory: async (db) => orNotFound(await findHookWithRemoved(db, owner, id)).id,
      lock: async (tx, changedAt) => {
        const hook = orNotFound(await lockHook(tx, owner, id))
        if (changedAt !== undefined) await touchHook(tx, id, changedAt)
        return hook.id
      },
    }
  },
})
