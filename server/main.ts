import { configHelp, type Config } from '#platform/config.ts'
import { readCommandLine, type CommandLine } from './command-line.ts'
import { loadConfig, startEmbedded } from './start-early.ts'

/** Loading the server keeps this thread busy for as long as the embedded database takes to open in its own. */
const main = async ({ role, isDemo }: CommandLine): Promise<void> => {
  const config = isDemo ? await loadDemoConfig() : loadConfig()
  const pglite = await startEmbedded(role, config)
  const [{ serve }] = await Promise.all([import('./serve.ts'), pglite?.opened])
  await serve({ role, config, pglite, isDemo })
}

const loadDemoConfig = async (): Promise<Config> => {
  const { configureDemo, demoSettings } = await import('./demo/demo-folder.ts')
  return configureDemo(loadConfig(demoSettings))
}

try {
  const commandLine = readCommandLine(process.argv.slice(2))
  if (commandLine.help) process.stdout.write(configHelp())
  else await main(commandLine)
} catch (error) {
  process.stderr.write(`Waybill cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
