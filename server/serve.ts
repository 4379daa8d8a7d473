import type { Logger } from 'pino'
import type { Config } from '#platform/config.ts'
import type { PgliteProcess } from '#platform/db/pglite-process.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import type { Role } from './command-line.ts'
import { compose, type Waybill } from './compose.ts'
import type * as Demos from './demo/open-demo.ts'
import { makeListener } from './listener.ts'
import { openServerContext } from './open-server-context.ts'
import type { ServerContext } from './server-context.ts'
import { stopOnSignal } from './stop-on-signal.ts'

export interface ServeOptions {
  readonly role: Role
  readonly config: Config
  readonly pglite: PgliteProcess | undefined
  readonly isDemo: boolean
}

/** signals → compose → listen → supervise */
export const serve = async ({ role, config, pglite, isDemo }: ServeOptions): Promise<void> => {
  const demos = isDemo ? await import('./demo/open-demo.ts') : undefined
  const context = await openServerContext(role, config, pglite, demos?.admitDatabase)
  const { database, services = [], log } = context
  void pglite?.broken.then((error) => endBroken(error, log))
  const waybill: Served = await (demos === undefined ? compose(context) : composeDemo(demos, context))
  const supervisor = makeSupervisor(
    [
      { name: 'database', start: async () => undefined, stop: database.close },
      ...services,
      ...waybill.services,
      makeListener(waybill.app, config.HOST, config.PORT),
    ],
    log,
  )
  const start = async () => {
    await supervisor.start()
    // Last: a password that is made must also be shown, so nothing that can fail comes after it.
    return waybill.ensureSuperuser()
  }
  const started = start()
  // A signal that comes meanwhile waits for the start: what is half started cannot be stopped in order.
  stopOnSignal(async () => {
    await started
    await supervisor.stop()
  }, log)
  const login = await started

  say([...readyLines(waybill.app.listeningOrigin, config, login), ...(waybill.lines ?? [])].join('\n'))
  // After the others: it takes one check of a password, which nobody who waits for the server has to wait for.
  if (login === undefined && (await waybill.isAdminPasswordIgnored())) sayIgnored(log)
}

/** What whoever started the server is told when it is ready. */
const readyLines = (
  address: string,
  config: Config,
  login: { readonly email: string; readonly password: string } | undefined,
): readonly string[] => [
  `Waybill is ready at ${address} (API reference: ${address}/docs, process ${process.pid})`,
  `Data: ${config.DATABASE_URL === undefined ? `embedded database in ${config.DATA_DIR}` : 'PostgreSQL'}`,
  ...(config.NODE_ENV === 'production'
    ? []
    : ['Webhooks may reach this machine (loopback) because NODE_ENV is not production.']),
  ...(login === undefined
    ? []
    : [`Administrator: ${login.email}, password: ${passwordLine(login.password, config.ADMIN_PASSWORD)}`]),
]

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** A server around a demo, which is made first where there is none: through the API, by the first superuser. */
const composeDemo = async ({ openDemo }: typeof Demos, context: ServerContext): Promise<Served> => {
  const demo = await openDemo({ ...context, say })
  const waybill = await compose({ ...context, clock: demo.clock })
  await waybill.ensureSuperuser()
  await demo.fill(waybill.app)
  const services = [demo.receiver, ...waybill.services, demo.heartbeat(waybill.app)]
  return { ...waybill, services, lines: demo.lines }
}

interface Served extends Waybill {
  /** What else is said when it is ready. */
  readonly lines?: readonly string[]
}

const sayIgnored = (log: Logger): void => {
  log.warn('admin_password.ignored')
  process.stdout.write(
    'ADMIN_PASSWORD is ignored: it counts at the first start alone, and there are users already. npm run reset-password -- EMAIL makes a new password.\n',
  )
}

/** Without its database the process is of no use, and whoever looks after it starts it again. Nothing that was answered is lost. */
const endBroken = (error: Error, log: Logger): void => {
  log.fatal({ err: error }, 'database.broken')
  process.stderr.write(
    'The embedded database has ended, and Waybill with it; nothing that was answered is lost. Make room if its disk is full, and start again.\n',
  )
  process.exit(1)
}

/** A password that somebody chose is known to them, and does not belong on a screen. */
const passwordLine = (password: string, chosen: string | undefined): string =>
  chosen === undefined ? `${password} (shown only this once)` : 'as set in ADMIN_PASSWORD'
