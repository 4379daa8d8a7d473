import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'

/** A person, as members are shown. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** Whether they can log in. */
  readonly isActive: boolean
}

/** Finds people; filled by the domain that keeps them. */
export interface People {
  /** Somebody who may log in, by e-mail in any case of its letters. */
  findByEmail(tx: Tx, email: string): Promise<Person | undefined>
  /** These people, those who may not log in any more included. */
  findAll(db: Db | Tx, ids: readonly number[]): Promise<readonly Person[]>
}

export interface Dependencies extends SliceDeps {
  readonly vault: Vault
  readonly outbox: Outbox
  readonly subscriptions: Subscriptions
  readonly redeliveries: Redeliveries
  readonly people: People
  /** Id of this installation, which is part of every `webhook-id`. */
  readonly installationId: string
  /** What speaks against a URL besides its form, such as a literal private address; undefined when nothing does. */
  readonly checkUrl: (url: string) => string | undefined
}

/** Events of one project; its webhooks alone get them. */
export const scopeOf = (projectId: string): string => `project:${projectId}`

export const projectOf = (scope: string): string => scope.slice(scopeOf('').length)

export const isProjectScope = (scope: string): boolean => scope.startsWith('project:')
