import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Envelope } from '#delivery/tables/envelope.ts'
import type { DatabaseLocation } from '#platform/db/open.ts'
import { startProgram } from '../processes/start-program.ts'
import type { Step } from './steps.ts'

/** What one process is to do: recover what others left behind, raise some batches of events, and meet its trouble in the last. */
export interface Life {
  readonly location: DatabaseLocation
  /** How far its clock is ahead, so that leases of those before it have run out. */
  readonly clockAheadMs: number
  /** Of what is raised in it. */
  readonly envelope: Envelope
  /** Without one it ends in peace once nothing is pending. */
  readonly step?: Step
  /** Packages of each batch: one transaction each. The trouble comes with the last. */
  readonly batches: readonly (readonly number[])[]
  /** Milliseconds between the bytes of a statement and the trouble that is to come while it runs; at the latest it comes with the answer. */
  readonly delayMs: number
}

/** What it said, written before anything else could happen to it. */
export type Said =
  | { readonly kind: 'recovered'; readonly ms: number }
  | { readonly kind: 'acknowledged'; readonly packages: readonly number[] }
  | { readonly kind: 'struck' }

export interface LifeReport {
  readonly said: readonly Said[]
  /** `SIGKILL`, or its exit status. */
  readonly end: string | number | null
  readonly errors: string
}

/** Starts a delivery engine in a process of its own and waits for its end. */
export const live = async (life: Life): Promise<LifeReport> => {
  const child = startProgram('server/testing/chaos/engine-process.ts', {
    args: [JSON.stringify(life)],
    directory: process.cwd(),
    environment: process.env,
  })
  const orphaned = (): void => void child.kill('SIGKILL')
  process.once('exit', orphaned)
  const said: Said[] = []
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line) as Said))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  process.off('exit', orphaned)
  return { said, end: signal ?? status, errors }
}
