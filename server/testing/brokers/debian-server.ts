import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server of Debian's packages, in a folder and on ports of its own. */
export interface DebianServer {
  readonly port: number
  /** As if its machine had lost power, or in order. */
  halt(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Starts it again after `halt`, on the same port and data. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly port: number
  readonly directory: string
  /** Tries whether it answers, once its port is open. */
  readonly isReady?: () => Promise<boolean>
  readonly afterwards?: () => void
}

/** A clustered broker of another language on two busy cores takes its time. */
const startMs = 90_000

export const scratchDirectory = (name: string): string => mkdtempSync(join(tmpdir(), `waybill-${name}-`))

export const isInstalled = (command: string): boolean => existsSync(command)

/** Starts it without waiting for it: nodes of a cluster wait for each other. */
export const prepareServer = (program: Program): DebianServer => {
  const { command, args, environment, port, directory, isReady = async () => true, afterwards } = program
  let running: ChildProcess | undefined
  const halt: DebianServer['halt'] = async (signal) => {
    const child = running
    running = undefined
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // With whatever it has started.
    process.kill(-child.pid, signal)
    await exited
  }
  return {
    port,
    halt,
    async start() {
      let output = ''
      const child = spawn(command, args, {
        cwd: directory,
        env: { PATH: process.env['PATH'], HOME: directory, LANG: 'C.UTF-8', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      running = child
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)))
      const until = Date.now() + startMs
      while (!((await isListening(port)) && (await isReady()))) {
        if (child.exitCode !== null || Date.now() > until) throw new Error(`${command} did not start:\n${output}`)
        await sleep(50)
      }
    },
    async stop() {
      await halt('SIGKILL')
      afterwards?.()
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
