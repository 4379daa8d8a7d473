import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A bash that is typed into, and what it printed. For tests that do what a document says. */
export interface Terminal {
  /** Everything printed so far. */
  readonly output: () => string
  /** Runs lines to their end. @returns what they printed. @throws when one of them fails. */
  readonly run: (lines: string) => Promise<string>
  /** Waits for something to be printed. @throws when the terminal ends first, or after a minute. */
  readonly says: (what: RegExp) => Promise<void>
  /** Waits until the last command ended by itself. */
  readonly ended: () => Promise<void>
  /** Ends whatever still runs in it. */
  readonly close: () => Promise<void>
}

export interface TerminalOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** A bash for commands that end: lines are typed one after the other and share its variables. */
export const openTerminal = (options: TerminalOptions): Terminal => terminalOn(start(['-e', '-o', 'pipefail'], options))

/** A bash for one command that stays, such as a server. */
export const runInTerminal = (command: string, options: TerminalOptions): Terminal =>
  terminalOn(start(['-e', '-c', command], options))

/**
 * A group of its own, so that closing it reaches what npm started; and as a user would have it: without the
 * settings of this environment, and without the pinned Node.js that `npm test` puts on the path.
 */
const start = (args: readonly string[], { cwd, env }: TerminalOptions): ChildProcess => {
  const kept = ['HOME', 'USER', 'LANG', 'TMPDIR'].map((name) => [name, process.env[name]] as const)
  const path = (process.env['PATH'] ?? '').split(':').filter((entry) => !entry.endsWith('node_modules/.bin'))
  const clean = Object.fromEntries(kept.filter(([, value]) => value !== undefined))
  return spawn('bash', args, { cwd, env: { ...clean, PATH: path.join(':'), ...env }, detached: true })
}

const patienceMs = 60_000
const endMark = '::end of lines::'

const terminalOn = (bash: ChildProcess): Terminal => {
  let text = ''
  const watchers = new Set<() => void>()
  const changed = (): void => {
    for (const watch of watchers) watch()
  }
  for (const stream of [bash.stdout, bash.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      changed()
    })
  bash.on('close', changed)
  const isOver = (): boolean => bash.exitCode !== null || bash.signalCode !== null

  const until = (isTrue: () => boolean, what: string, isFine = (): boolean => !isOver()): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => settle(new Error(`Not within a minute: ${what}. Printed so far:\n${text}`)),
        patienceMs,
      )
      const settle = (error?: Error): void => {
        clearTimeout(timer)
        watchers.delete(look)
        if (error === undefined) resolve()
        else reject(error)
      }
      const look = (): void => {
        if (isTrue()) settle()
        else if (!isFine()) settle(new Error(`The terminal ended before: ${what}. It printed:\n${text}`))
      }
      watchers.add(look)
      look()
    })

  return {
    output: () => text,
    run: async (lines) => {
      const from = text.length
      bash.stdin?.write(`${lines}\necho '${endMark}'\n`)
      await until(() => text.includes(endMark, from), lines)
      return text.slice(from, text.indexOf(endMark, from))
    },
    says: (what) => until(() => what.test(text), String(what)),
    ended: () => until(isOver, 'its end', () => true),
    close: async () => {
      if (bash.pid === undefined || isOver()) return
      const closed = once(bash, 'close')
      process.kill(-bash.pid, 'SIGTERM')
      await closed
    },
  }
}
