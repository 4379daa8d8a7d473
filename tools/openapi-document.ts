import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { pino } from 'pino'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openPglite } from '#platform/db/open-pglite.ts'
import { openFolderStore } from '#platform/storage/folder-store.ts'
import { compose } from '../server/compose.ts'

/** Where the document is kept, from the root of the project. */
export const openapiFile = 'docs/openapi.json'

/**
 * What a server with the default configuration answers to `GET /openapi.json`, laid out as the formatter
 * wants it. The server is composed on a database in memory; it neither listens nor delivers.
 */
export const openapiDocument = async (): Promise<string> => {
  const database = await openPglite({})
  const directory = await mkdtemp(join(tmpdir(), 'waybill-openapi-'))
  try {
    await migrate(database, await readMigrations())
    const { app } = await compose({
      role: 'all',
      config: readConfig({ LOG_LEVEL: 'silent' }),
      secretKey: 'nothing is encrypted with this key',
      database,
      store: await openFolderStore(directory),
      clock: systemClock,
      log: pino({ level: 'silent' }),
    })
    try {
      const { code } = await format(openapiFile, JSON.stringify(app.swagger(), null, 2), { printWidth: 120 })
      return code
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
    await rm(directory, { recursive: true, force: true })
  }
}
