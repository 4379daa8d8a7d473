import type { Config } from '#platform/config.ts'
import type { CommandLine } from './command-line.ts'
import { loadConfig, startEmbedded } from './start-early.ts'

/**
 * Starts the server, and resolves once it is ready. Loading it keeps this thread busy for as long as the embedded database
 * takes to open in its own.
 */
export const start = async ({ role, isDemo }: Omit<CommandLine, 'help'>): Promise<void> => {
  const config = isDemo ? await loadDemoConfig() : loadConfig()
  const pglite = await startEmbedded(role, config)
  const [{ serve }] = await Promise.all([import('./serve.ts'), pglite?.opened])
  await serve({ role, config, pglite, isDemo })
}

const loadDemoConfig = async (): Promise<Config> => {
  const { configureDemo, demoSettings } = await import('./demo/demo-folder.ts')
  return configureDemo(loadConfig(demoSettings))
}
