import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './start-program.ts'

export interface WaybillRun {
  readonly status: number | null
  /** What it wrote to standard output. */
  readonly output: string
  readonly errors: string
}

interface WaybillOptions {
  /** All it gets besides PATH. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Where it runs; its `.env` would be read. */
  readonly directory?: string
  /** Its standard input. */
  readonly input?: string
}

/** Runs `waybill` with these arguments to its end. */
export const runWaybill = async (
  args: readonly string[],
  { environment = {}, directory = tmpdir(), input }: WaybillOptions = {},
): Promise<WaybillRun> => {
  const stdin = input === undefined ? undefined : openText(input)
  const child = startProgram('server/waybill.ts', {
    args,
    directory,
    environment,
    ...(stdin === undefined ? {} : { input: stdin }),
  })
  const said = { output: '', errors: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.errors += chunk.toString()))
  await once(child, 'close')
  if (stdin !== undefined) closeSync(stdin)
  return { status: child.exitCode, ...said }
}

/** A file that is gone once it is closed. */
const openText = (text: string): number => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-input-'))
  const file = join(folder, 'input')
  writeFileSync(file, text)
  const descriptor = openSync(file, 'r')
  rmSync(folder, { recursive: true })
  return descriptor
}
