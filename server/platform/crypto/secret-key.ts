import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The generated SECRET_KEY of an embedded installation: made once, readable by its owner alone. */
export const generatedSecretKey = async (directory: string): Promise<string> => {
  const file = join(directory, 'secret.key')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const key = randomBytes(32).toString('base64url')
    await mkdir(directory, { recursive: true })
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
    return key
  }
}
