import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailure } from '../failure.ts'

const root = join(import.meta.dirname, '../../..')

/** waybill bench */
export const runBench = (_flags: object, ...args: string[]): Promise<void> => runTool('bench/main.ts', args)

/** waybill chaos */
export const runChaos = (_flags: object, ...args: string[]): Promise<void> =>
  runTool('server/testing/chaos/main.ts', args)

/** These programs need what is for development, so they are processes of their own and no part of what is installed. */
const runTool = async (program: string, args: readonly string[]): Promise<void> => {
  if (!existsSync(join(root, program)))
    throw new CommandFailure(`This is an installed package. It takes a checkout of Waybill: ${program} is not there.`)
  const flags = ['--disable-warning=ExperimentalWarning', program]
  const child = spawn(process.execPath, [...flags, ...args], { cwd: root, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [status] = (await once(child, 'exit')) as [number | null]
  process.exitCode = status ?? 1
}
