import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { notAuthenticated, notFound, orNotFound } from '#platform/errors.ts'
import type { Caller } from './authenticate.ts'
import { revokeSessions } from './credential-store.ts'
import { endSession } from './session-list-store.ts'
import { lockUser } from './user-store.ts'

interface EndSessionsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
}

/** Ends logins that go on, one's own or somebody else's. `by` is who does it, for the log. */
export const makeEndSessions = ({ db, clock, log }: EndSessionsDeps) => ({
  /** @throws AppError 404 when the person has no such session. */
  async one(userId: number, sessionId: number, by: number): Promise<void> {
    if (!(await inTransaction(db, (tx) => endSession(tx, userId, sessionId, clock.now())))) throw notFound()
    log.info({ userId, by }, 'session.ended')
  },

  /**
   * Ends every session of the person but the one that the caller uses, those that are being made at this moment too. API keys
   * and links by e-mail stay.
   * @param caller as read for this request alone: of two who end each other's, one is too late.
   * @throws AppError 404 when there is no such person; 401 when the caller was revoked meanwhile.
   */
  async others(userId: number, { user, credential }: Caller): Promise<void> {
    await inTransaction(db, async (tx) => {
      const { credentialsVersion } = orNotFound(await lockUser(tx, userId))
      if (userId === user.id && credentialsVersion !== user.credentialsVersion) throw notAuthenticated()
      await revokeSessions(tx, userId, userId === user.id ? credential : undefined)
    })
    log.info({ userId, by: user.id }, 'sessions.ended')
  },
})

export type EndSessions = ReturnType<typeof makeEndSessions>
