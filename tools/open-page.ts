import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { freePort } from './free-port.ts'
import { projectRoot } from './markdown.ts'
import { replaceEach } from './replace-each.ts'
import { openTerminal, runInTerminal, type Terminal } from './terminal.ts'

export interface OpenPage {
  /** For the commands that end. A status that says no is a line that failed, here; people see it. */
  readonly you: Terminal
  /** A command as it has to be here: with the server's address, another port for the receiver, and a directory in place of `data/`. */
  readonly here: (command: string) => string
  /** Runs a command that stays, until it listens. */
  readonly listen: (command: string) => Promise<Terminal>
}

export interface OpenPageOptions {
  /** What the page starts the server with; `port` is that of its receiver. */
  readonly environment?: (port: string) => Readonly<Record<string, string>>
  /** The port of the page's receiver. */
  readonly receiverPort?: string
}

const superuser = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' }

/** What a test needs that does what a page says, line by line: a server, and terminals. Closed after the file's last test. */
export const openPage = async ({
  environment = () => superuser,
  receiverPort = '4100',
}: OpenPageOptions = {}): Promise<OpenPage> => {
  const directory = mkdtempSync(join(tmpdir(), 'waybill-page-'))
  const port = String(await freePort())
  installDatabase(join(directory, 'data'))
  const server = await startServer(environment(port), directory)
  const terminals: Terminal[] = []
  const keep = (terminal: Terminal): Terminal => {
    terminals.push(terminal)
    return terminal
  }
  afterAll(async () => {
    for (const terminal of terminals.toReversed()) await terminal.close()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const you = keep(openTerminal({ cwd: projectRoot }))
  await you.run('curl() { command curl --fail-with-body "$@"; }')
  return {
    you,
    here: (command) =>
      replaceEach(command, { 'http://127.0.0.1:4000': server.origin, [receiverPort]: port, 'data/': `${directory}/` }),
    listen: async (command) => {
      const terminal = keep(runInTerminal(command, { cwd: projectRoot }))
      await terminal.says(/listening/)
      return terminal
    },
  }
}
