import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * Puts a migrated, empty embedded database into a data directory, for a server that starts there: to make one takes it
 * three times as long as to start.
 */
export const installDatabase = (dataDirectory: string): void =>
  cpSync(inject('pgliteDirectory'), join(dataDirectory, 'database'), { recursive: true })
