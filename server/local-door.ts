import { rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import type { BaseBackup } from '#platform/db/base-backup.ts'
import type { Service } from '#platform/supervisor.ts'

/**
 * Where the commands of this machine reach a server on the embedded database, whose folder is locked: a socket in that folder,
 * which is for its user alone. It knows one request, a line `backup`, answered by `{}` once files may be copied; the line `end`
 * is answered by what the copy needs. Whoever goes away before has given the backup up.
 */
export const makeLocalDoor = (dataDirectory: string, backup: BaseBackup, log: Logger): Service => {
  const path = doorOf(dataDirectory)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.once('close', () => open.delete(socket)).on('error', () => undefined))
    socket.setTimeout(maxBackupMs, () => socket.destroy())
    void attend(socket, backup, log)
  })
  return {
    name: 'local-door',
    start: async () => {
      if (path === undefined) return log.warn({ directory: dataDirectory }, 'local_door.path_too_long')
      // The lock of the directory is ours, so whoever left it there is gone.
      rmSync(path, { force: true })
      await once(server.listen(path), 'listening')
    },
    stop: async () => {
      for (const socket of open) socket.destroy()
      if (server.listening) await once(server.close(), 'close')
    },
  }
}

const maxBackupMs = 3_600_000
/** Of `sun_path`, on the system that has the least. */
const longestPath = 100

/** The socket of a data directory; undefined where no path to it is short enough. */
export const doorOf = (dataDirectory: string): string | undefined => {
  const file = join(resolve(dataDirectory), 'waybill.sock')
  return [file, relative('', file)].filter((path) => path.length < longestPath).at(0)
}

const attend = async (socket: Socket, backup: BaseBackup, log: Logger): Promise<void> => {
  let isBegun = false
  try {
    for await (const line of createInterface({ input: socket })) {
      if (line === 'backup' && !isBegun) {
        await backup.begin()
        isBegun = true
        log.info('backup.begun')
        socket.write('{}\n')
      } else if (line === 'end' && isBegun) {
        isBegun = false
        socket.end(`${JSON.stringify(await backup.end())}\n`)
        log.info('backup.ended')
      } else socket.end(`${JSON.stringify({ error: 'There is no such request.' })}\n`)
    }
  } catch (error) {
    log.error({ err: error }, 'backup.failed')
    socket.end(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`)
  }
  if (isBegun) await giveUp(backup, log)
}

const giveUp = async (backup: BaseBackup, log: Logger): Promise<void> => {
  try {
    await backup.end()
    log.warn('backup.given_up')
  } catch (error) {
    log.error({ err: error }, 'backup.failed')
  }
}
