import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { BackupEnd } from '#platform/db/base-backup.ts'
import { doorOf } from '../../../local-door.ts'
import { CommandFailure } from '../../failure.ts'

/** A base backup that the running server has begun. */
export interface OpenBackup {
  /** @throws CommandFailure when the server has gone meanwhile: what was copied is worth nothing then. */
  end(): Promise<BackupEnd>
}

/** Has the server of a data directory begin a backup. @returns undefined when none is running. */
export const beginBackup = async (dataDirectory: string): Promise<OpenBackup | undefined> => {
  const socket = await reach(doorOf(dataDirectory))
  if (socket === undefined) return undefined
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]()
  const ask = async <T>(line: string): Promise<T> => {
    socket.write(`${line}\n`)
    const answer = await answers.next()
    if (answer.done === true) throw new CommandFailure('The server went away while the backup was made. Make it again.')
    const said = JSON.parse(answer.value) as T & { readonly error?: string }
    if (said.error !== undefined) throw new CommandFailure(`The server cannot make a backup: ${said.error}`)
    return said
  }
  await ask('backup')
  return { end: () => ask('end') }
}

const reach = async (path: string | undefined): Promise<Socket | undefined> => {
  if (path === undefined) return undefined
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket.on('error', () => undefined)
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
