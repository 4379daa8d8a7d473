import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/open.ts'
import type { BenchServer } from './open-server.ts'

/** Ticks of a second, as Linux tells all programs. */
const ticks = 100

/**
 * @returns the seconds of processor time that a server and its database have taken so far: of the server's process, and of
 * all processes of the PostgreSQL that it uses, background ones too. By /proc, so on Linux, with PostgreSQL on this machine.
 */
export const meterProcessorTime = async ({ pid, location }: BenchServer): Promise<() => number> => {
  if (location.url === undefined) return () => secondsOf(readStat(pid))
  const database = await openDatabase({ ...location, poolSize: 1 })
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)
  const { parent } = readStat(rows[0]?.pid ?? 0)
  await database.close()
  return () => {
    const children = processes().filter((stat) => stat.parent === parent)
    const postmaster = readStat(parent)
    const all = [readStat(pid), postmaster, ...children].map(secondsOf)
    return all.reduce((sum, seconds) => sum + seconds, postmaster.ofEndedChildren / ticks)
  }
}

/** Seconds of processor time that one process has taken so far. */
export const processorSecondsOf = (pid: number): number => secondsOf(readStat(pid))

interface Stat {
  readonly parent: number
  /** In user mode and in the kernel, of all threads, in ticks. */
  readonly own: number
  readonly ofEndedChildren: number
}

const secondsOf = ({ own }: Stat): number => own / ticks

/** @throws when there is no such process. */
const readStat = (pid: number): Stat => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program may have spaces and parentheses; the numbers follow the last one (proc(5)).
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0] = fields.slice(1)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
  return { parent, own: user + system, ofEndedChildren: endedUser + endedSystem }
}

const processes = (): Stat[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [readStat(Number(name))]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
