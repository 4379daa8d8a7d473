import { configHelp } from '#platform/config.ts'
import { readCommandLine, type Role } from './command-line.ts'
import { loadConfig, startEmbedded } from './start-early.ts'

/** Loading the server keeps this thread busy for as long as the embedded database takes to open in its own. */
const main = async (role: Role): Promise<void> => {
  const config = loadConfig()
  const pglite = await startEmbedded(role, config)
  const [{ serve }] = await Promise.all([import('./serve.ts'), pglite?.opened])
  await serve(role, config, pglite)
}

try {
  const { help, role } = readCommandLine(process.argv.slice(2))
  if (help) process.stdout.write(configHelp())
  else await main(role)
} catch (error) {
  process.stderr.write(`Waybill cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
