import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'

export const administrator = { email: 'admin@example.com', password: 'correct horse battery' } as const

/** A server of an empty installation, for one test file. @param environment what it is told beyond the usual */
export const startEmptyServer = async (environment: Readonly<Record<string, string>> = {}) => {
  const directory = mkdtempSync(join(tmpdir(), 'waybill-empty-'))
  installDatabase(directory)
  const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = administrator
  const server = await startServer(
    { DATA_DIR: directory, ADMIN_EMAIL, ADMIN_PASSWORD, LOG_LEVEL: 'warn', ...environment },
    directory,
  )
  return {
    origin: server.origin,
    stop: async (): Promise<void> => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
