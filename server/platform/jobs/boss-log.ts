import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** While the database is away every worker of every queue has an error at every look: one line in this time will do. */
const quietMs = 5_000

/** Puts what pg-boss has to say into the log. Without a listener its errors would end the process. */
export const logBoss = (boss: PgBoss, log: Logger): void => {
  let quietUntil = 0
  boss.on('error', (error) => {
    const now = performance.now()
    log[now < quietUntil ? 'debug' : 'error']({ err: error }, 'jobs.error')
    if (now >= quietUntil) quietUntil = now + quietMs
  })
  boss.on('warning', ({ message, data }) => log.warn({ data, reason: message }, 'jobs.warning'))
}
