import pg from 'pg'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

export interface TestPostgres {
  readonly url: string
  /** For the heading of the run. */
  readonly origin: string
  close(): Promise<void>
}

const local = 'postgres://postgres@127.0.0.1:5432/postgres'
const oldestVersion = 15

/**
 * A PostgreSQL on which the tests may create databases: the one of TEST_DATABASE_URL, else one that
 * already runs on this machine, else one started for this run (TEST_DATABASE_URL=embedded asks for that).
 * @throws when the one that was asked for cannot be had.
 */
export const findTestPostgres = async (wanted = process.env['TEST_DATABASE_URL']): Promise<TestPostgres> => {
  if (wanted !== undefined && wanted !== '' && wanted !== 'embedded') {
    const problem = await whyUnusable(wanted)
    if (problem !== undefined) throw new Error(`TEST_DATABASE_URL: ${problem}`)
    return { url: wanted, origin: 'TEST_DATABASE_URL', close: async () => undefined }
  }
  if (wanted !== 'embedded' && (await whyUnusable(local)) === undefined) {
    return { url: local, origin: local, close: async () => undefined }
  }
  const { url, stop } = await startEmbeddedPostgres()
  return { url, origin: 'embedded-postgres, started for this run', close: stop }
}

const whyUnusable = async (url: string): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; isCreator: boolean }>(`
      select current_setting('server_version_num')::int / 10000 as version, rolsuper or rolcreatedb as "isCreator"
      from pg_roles where rolname = current_user`)
    const [role] = rows
    if (role === undefined || !role.isCreator) return 'its user may not create databases'
    return role.version < oldestVersion ? `version ${role.version}, ${oldestVersion} or newer is needed` : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}
