import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import type { RouteOptions } from '#platform/http/route-options.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import type { Naming } from './shape.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'

/** One kind of thing that owns a subscription, as its part of the API has it. The kit adds what all of them have. */
export interface Surface extends Omit<SliceDeps, 'baseUrl'> {
  readonly subscriptions: Subscriptions
  /** What one is called in messages. */
  readonly noun: 'hook' | 'webhook' | 'flow'
  readonly naming: Naming
  readonly route: RouteOptions
  /** Path of one, as the router knows it, and the schema of its parameters. */
  readonly path: string
  readonly params: TSchema
  /** The one that a request is about. @throws AppError 400 for an id that is none. */
  readonly owner: (request: FastifyRequest) => Owner
}

/** The subscription of what a request names, for whoever sent it. All throw AppError 404 where there is none. */
export interface Owner {
  /** @returns its id, unless the owner was removed. */
  readonly find: (db: Db | Tx) => Promise<number>
  /** Like find, also of one that was removed: what was delivered to it can still be read. */
  readonly findHistory: (db: Db | Tx) => Promise<number>
  /** Like find, and nobody else changes it until the transaction ends. @param changedAt makes it a change of the owner. */
  readonly lock: (tx: Tx, changedAt?: Date) => Promise<number>
}
