import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { movedFile } from '../../../start-early.ts'

/**
 * What stays in a data directory whose database has moved: the settings for the other one, and a note that keeps a server from
 * starting on both, which would deliver everything twice.
 * @returns the file with the settings.
 */
export const leaveBehind = (
  dataDirectory: string,
  url: string,
  [secretKey = '', ...previous]: readonly string[],
): string => {
  const file = join(dataDirectory, 'postgres.env')
  const settings = {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    ...(previous.length > 0 ? { SECRET_KEY_PREVIOUS: previous.join(',') } : {}),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  const { host, pathname } = new URL(url)
  writeFileSync(join(dataDirectory, movedFile), `${new Date().toISOString()} postgres://${host}${pathname}\n`)
  return file
}
