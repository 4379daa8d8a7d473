import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Role } from './command-line.ts'

/** What the server is made from: everything that comes from outside of it. */
export interface Ingredients {
  readonly role: Role
  readonly config: Config
  /** The key everything secret is derived from: SECRET_KEY, or the generated one. */
  readonly secretKey: string
  /** Open and migrated. */
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
}
