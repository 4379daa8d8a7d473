import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'

const superuser = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' }

export interface SdkServer {
  /** What a program of the SDK reads: where the server is, and a key of a superuser. */
  readonly env: Readonly<Record<'WAYBILL_URL' | 'WAYBILL_KEY', string>>
  /** For what the test needs besides. */
  readonly directory: string
}

/** A server for tests of the SDKs. Closed after the file's last test. */
export const startSdkServer = async (): Promise<SdkServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'waybill-sdk-'))
  installDatabase(join(directory, 'data'))
  const server = await startServer(superuser, directory)
  afterAll(async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const login = { username: superuser.ADMIN_EMAIL, password: superuser.ADMIN_PASSWORD }
  const answer = await fetch(`${server.origin}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  const { key } = (await answer.json()) as { key: string }
  return { env: { WAYBILL_URL: server.origin, WAYBILL_KEY: key }, directory }
}
