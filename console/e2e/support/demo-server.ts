import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { hasChromium } from './chromium.ts'
import { startServer } from '#testing/processes/server-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the server with the demo company listens. */
    demoOrigin: string
  }
}

/**
 * Starts one server with the demo company for all files of a run: to make the company takes longer than most of them. While
 * you work, TEST_DEMO_ORIGIN names one that runs already (`npm start -- --demo`).
 */
const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (!hasChromium()) return undefined
  const running = process.env['TEST_DEMO_ORIGIN']
  if (running !== undefined) {
    project.provide('demoOrigin', running)
    return undefined
  }
  const directory = mkdtempSync(join(tmpdir(), 'waybill-console-'))
  const environment = { DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'warn' }
  const server = await startServer(environment, directory, { args: ['--demo'] })
  project.provide('demoOrigin', server.origin)
  return async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

export default setup
