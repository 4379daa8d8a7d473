import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Clock } from '#platform/clock.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeHeartbeat } from './heartbeat.ts'
import { shownLogins } from './logins.ts'
import { makeDemo } from './make-demo.ts'
import { markBegun, markDone, readMark } from './marker.ts'
import { makeReceiver } from './receiver/receiver.ts'
import { makeTravelClock } from './time.ts'

export { admitDatabase } from './marker.ts'

/** A demo, as the start of a server uses it. */
export interface Demo {
  /** What the application is to take for the time. */
  readonly clock: Clock
  /** What listens before the server delivers. */
  readonly receiver: Service
  /** What goes on in the company while the server runs. */
  heartbeat(app: FastifyInstance): Service
  /** Makes everything, where it is not there yet. The first superuser has to be there. */
  fill(app: FastifyInstance): Promise<void>
  /** What whoever started it is told. */
  readonly lines: readonly string[]
}

interface OpenDemoDeps {
  readonly config: Pick<Config, 'PORT' | 'DATA_DIR'>
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly say: (line: string) => void
}

/** Opens the receiver of a demo, where it was before, and prepares the rest. */
export const openDemo = async ({ config, database, clock: base, log, say }: OpenDemoDeps): Promise<Demo> => {
  const clock = makeTravelClock(base)
  const { isDone, receiverPort } = await readMark(database.db)
  const receiver = makeReceiver()
  const port = await receiver.open(receiverPort ?? (config.PORT === 0 ? 0 : config.PORT + 1))
  const origin = `http://127.0.0.1:${port}`
  return {
    clock,
    receiver,
    heartbeat: (app) => makeHeartbeat(app, log),
    async fill(app) {
      if (isDone) return
      say('Making a demo: a seller of furniture with a month of history. This takes some seconds, once.')
      const { level } = log
      // A line for each of the requests that make it would be of use to nobody.
      log.level = level === 'info' ? 'warn' : level
      await markBegun(database.db, port)
      await makeDemo({ app, database, clock, receiver: origin, say })
      await markDone(database.db)
      log.level = level
    },
    lines: [
      `Demo: what its receiver got is shown at ${origin}/`,
      ...shownLogins.map(([who, { email, password }]) => `${who}: ${email}, password: ${password}`),
    ],
  }
}
