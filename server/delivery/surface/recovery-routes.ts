import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import type { Answer } from '#platform/http/idempotency.ts'
import type { Operation } from '#platform/http/route-options.ts'
import { readTimeRange, type Dates } from '#platform/lists/time-range.ts'
import type { Surface } from './surface.ts'

/** A subscription, and since when it gets again what it missed; undefined: since everything that is kept. */
export interface Recovery {
  readonly subscriptionId: number
  readonly since: Date | undefined
}

export interface RecoveryOptions {
  readonly operation: Operation
  /** Has a field `since`. */
  readonly body: TSchema
  readonly dates: Dates
  readonly response: Readonly<Record<200 | 202, TSchema>>
  /** Whether the recovery is to start; otherwise it is only counted. */
  readonly isStarted: (body: unknown) => boolean
  readonly count: (tx: Tx, recovery: Recovery, request: FastifyRequest) => Promise<object>
  /** @throws AppError where it cannot start now. */
  readonly start: (tx: Tx, recovery: Recovery, request: FastifyRequest) => Promise<Answer>
}

/** Sends a subscription again what did not reach it since a time, or counts it first. */
export const recoveryRoutes =
  (
    { clock, write, owner, path, params, route }: Surface,
    { operation, body, dates, response, isStarted, count, start }: RecoveryOptions,
  ): FastifyPluginAsync =>
  async (app) => {
    app.post(`${path}/recover`, route(operation, { params, body, response }), async (request, reply) => {
      const asked = owner(request)
      const { since: text } = (request.body ?? {}) as { readonly since?: string }
      const since = text === undefined ? undefined : readTimeRange(text, 'since', 'gte', dates).from
      if (since !== undefined && since > clock.now()) throw invalidField('since', 'Expected a time that has passed.')
      return write(request, reply, async (tx) => {
        const recovery = { subscriptionId: await asked.find(tx), since }
        if (isStarted(request.body ?? {})) return start(tx, recovery, request)
        request.isPreview = true
        return { status: 200, body: await count(tx, recovery, request) }
      })
    })
  }
