import { configHelp } from '#platform/config.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { readCommandLine, type Role } from './command-line.ts'
import { makeListener } from './listener.ts'
import { openServerContext } from './open-server-context.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** signals → compose → listen → supervise */
const main = async (role: Role): Promise<void> => {
  // The database opens in its own thread while the rest of the server is loaded.
  const [context, { compose }] = await Promise.all([openServerContext(role), import('./compose.ts')])
  const { config, database, services = [], log } = context
  const waybill = await compose(context)
  const supervisor = makeSupervisor(
    [
      { name: 'database', start: async () => undefined, stop: database.close },
      ...services,
      ...waybill.services,
      makeListener(waybill.app, config.HOST, config.PORT),
    ],
    log,
  )
  stopOnSignal(async () => supervisor.stop(), log)
  await supervisor.start()
  // Last: a password that is made must also be shown, so nothing that can fail comes after it.
  const login = await waybill.ensureSuperuser()

  const address = waybill.app.listeningOrigin
  const lines = [
    `Waybill is ready at ${address} (API reference: ${address}/docs, process ${process.pid})`,
    `Data: ${config.DATABASE_URL === undefined ? `embedded database in ${config.DATA_DIR}` : 'PostgreSQL'}`,
    ...(config.NODE_ENV === 'production'
      ? []
      : ['Webhooks may reach this machine (loopback) because NODE_ENV is not production.']),
    ...(login === undefined
      ? []
      : [`Administrator: ${login.email}, password: ${passwordLine(login.password, config.ADMIN_PASSWORD)}`]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** A password that somebody chose is known to them, and does not belong on a screen. */
const passwordLine = (password: string, chosen: string | undefined): string =>
  chosen === undefined ? `${password} (shown only this once)` : 'as set in ADMIN_PASSWORD'

try {
  const { help, role } = readCommandLine(process.argv.slice(2))
  if (help) process.stdout.write(configHelp())
  else await main(role)
} catch (error) {
  process.stderr.write(`Waybill cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
