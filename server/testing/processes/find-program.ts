import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian puts what only administrators start; not in everybody's PATH. */
const more = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/** The path of a program of this machine; undefined when it has none of that name. */
export const findProgram = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...more]
    .map((directory) => join(directory, name))
    .find((path) => mayRun(path))

const mayRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
