import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { makePrivate } from '#platform/db/private-files.ts'

/**
 * Puts a migrated, empty embedded database and a key into a data directory, for a server that starts there: to make one takes it
 * three times as long as to start.
 */
export const installDatabase = (dataDirectory: string): void => {
  cpSync(inject('pgliteDirectory'), join(dataDirectory, 'database'), { recursive: true })
  writeFileSync(join(dataDirectory, 'secret.key'), 'a generated key of at least 32 characters\n')
  makePrivate(dataDirectory)
}
