import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Scope } from '#platform/auth/principal.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { operationsFor } from '#platform/http/route-options.ts'
import { admit, organizationIdOf, type Member, type PathIds } from './member.ts'
import { permissions, type Operation } from './permissions.ts'
import { findPlace, holdOrganization } from './place-store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation on an organization that this route is; `permissions` says who may call it. */
    operation?: Operation
  }
  interface FastifyRequest {
    /** The caller in the organization of the path; set on every route that names an `operation`. */
    member: Member
  }
}

type Words = readonly [summary: string, description?: string]
const memberOperation =
  (scope: Scope & `projects:${string}`) =>
  (operation: Operation, ...[summary, description]: Words) => {
    const members = `For members from the role ${permissions[operation]} on.`
    const words = [summary, [description ?? `${summary}.`, members].join(' ')] as const
    return operationsFor({ access: { role: 'user', scope }, operation, audited: isAudited(operation) })(
      operation,
      ...words,
    )
  }

/** Subscriptions and who is a member. What projects hold are secrets, and releases are a log themselves. */
const isAudited = (operation: Operation): boolean => /Webhook|Member/.test(operation)

/** An operation on an organization that reads, and one that changes: `permissions` says which members may. */
export const reading = memberOperation('projects:read')
export const changing = memberOperation('projects:write')

/** Checks the caller's membership on each route of `plugins` that names an operation, before the body is read. */
export const guardMembers =
  (db: Db, plugins: readonly FastifyPluginAsync[]): FastifyPluginAsync =>
  async (app: FastifyInstance) => {
    app.decorateRequest('member')
    app.addHook('onRequest', async (request) => {
      const { operation } = request.routeOptions.config
      if (operation !== undefined) request.member = await memberOf(db, request, operation)
    })
    for (const plugin of plugins) await app.register(plugin)
  }

const memberOf = async (db: Db | Tx, request: FastifyRequest, operation: Operation): Promise<Member> => {
  const { principal } = request
  const ids = request.params as PathIds
  organizationIdOf(ids)
  const place = await findPlace(db, { userId: principal.userId, ids })
  return admit(principal, permissions[operation], ids, place)
}

/**
 * Makes the function through which every write on an organization goes. The caller's rights are looked at once
 * more inside the transaction, which holds the organization: reading a body can take a minute, and whoever was
 * removed meanwhile writes nothing any more, nor is anything written into an organization that has gone.
 * @param how `alone` for changes of the organization itself and of its members.
 */
export const makeMemberWrite =
  (write: Write, how: 'shared' | 'alone' = 'shared'): Write =>
  (request, reply, work) =>
    write(request, reply, async (tx) => {
      const { operation } = request.routeOptions.config
      if (operation === undefined) throw new Error('A write of a member needs an operation.')
      await holdOrganization(tx, request.member.organizationId, how)
      request.member = await memberOf(tx, request, operation)
      return work(tx)
    })
