import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../tools/free-port.ts'
import { databasePassword, makeDatabaseMachine, type DatabaseMachine, type MachinePorts } from './database-machine.ts'
import { findClusterPrograms, type ClusterPrograms } from './programs.ts'

/** Three database machines, and HAProxy before them and before two processes that answer requests. */
export interface Cluster {
  readonly machines: readonly DatabaseMachine[]
  /** The database of the server, through HAProxy. */
  readonly url: string
  /** Where clients ask, and the ports that HAProxy looks for the processes on. */
  readonly origin: string
  readonly apiPorts: readonly number[]
  /** The machine whose PostgreSQL takes writes. */
  primary(): Promise<DatabaseMachine>
  /** Until one is primary and the others follow, one of them synchronously. */
  whole(): Promise<void>
  /** Ends everything, and removes the data unless it is to be looked at. */
  stop(options?: { readonly keep: boolean }): Promise<void>
  readonly directory: string
}

const settings = join(import.meta.dirname, '../../../deploy/patroni/haproxy.cfg')
const names = ['db1', 'db2', 'db3'] as const
const wholeWithinMs = 90_000
const lookEveryMs = 200

/** Starts one on free ports of 127.0.0.1, with an empty database in it. @throws where its programs are not installed. */
export const startCluster = async (): Promise<Cluster> => {
  const programs = findClusterPrograms()
  if (programs === undefined)
    throw new Error("A cluster needs Debian's packages patroni, etcd-server, haproxy and postgresql.")
  const directory = mkdtempSync(join(tmpdir(), 'waybill-cluster-'))
  chmodSync(directory, 0o711)
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await machinePorts()] as const)))
  const machines = Object.entries(ports).map(([name, own]) =>
    makeDatabaseMachine({ name, ports: own, peers: ports, directory: join(directory, name), programs }),
  )
  const doors = { database: await freePort(), waybill: await freePort(), api: [await freePort(), await freePort()] }
  for (const machine of machines) machine.start()
  const haproxy = startHaproxy(programs, directory, haproxyEnvironment(machines, doors))
  const isOne = async (role: string): Promise<boolean> =>
    (await Promise.all(machines.map((machine) => machine.is(role)))).some(Boolean)
  const whole = (): Promise<void> =>
    until('the cluster is whole', async () => {
      const states = await Promise.all(machines.map((machine) => stateOf(machine)))
      return states.includes('primary') && states.includes('sync') && !states.includes('away')
    })

  const stop = async ({ keep } = { keep: false }): Promise<void> => {
    haproxy.kill('SIGKILL')
    for (const machine of machines) await machine.kill()
    if (!keep) rmSync(directory, { recursive: true, force: true })
  }
  const cluster = {
    machines,
    directory,
    url: `postgres://waybill:waybill@127.0.0.1:${doors.database}/waybill`,
    origin: `http://127.0.0.1:${doors.waybill}`,
    apiPorts: doors.api,
    primary: async () => {
      await until('there is a primary', () => isOne('primary'))
      const states = await Promise.all(machines.map((machine) => machine.is('primary')))
      const found = machines.find((_, index) => states[index])
      if (found === undefined) throw new Error('The primary was gone again.')
      return found
    },
    whole,
    stop,
  }
  process.once('exit', () => void stop({ keep: true }))
  await whole()
  await createDatabase(doors.database)
  return cluster
}

const machinePorts = async (): Promise<MachinePorts> => ({
  postgres: await freePort(),
  patroni: await freePort(),
  etcd: await freePort(),
  etcdPeers: await freePort(),
})

type MachineState = 'primary' | 'sync' | 'replica' | 'away'

const stateOf = async (machine: DatabaseMachine): Promise<MachineState> => {
  for (const state of ['primary', 'sync', 'replica'] as const) if (await machine.is(state)) return state
  return 'away'
}

interface Doors {
  readonly database: number
  readonly waybill: number
  readonly api: readonly number[]
}

const haproxyEnvironment = (machines: readonly DatabaseMachine[], doors: Doors): Readonly<Record<string, string>> => ({
  DATABASE_BIND: `127.0.0.1:${doors.database}`,
  WAYBILL_BIND: `127.0.0.1:${doors.waybill}`,
  ...Object.fromEntries(
    machines.flatMap(({ name, ports }) => [
      [name.toUpperCase(), `127.0.0.1:${ports.postgres}`],
      [`${name.toUpperCase()}_PATRONI`, String(ports.patroni)],
    ]),
  ),
  ...Object.fromEntries(doors.api.map((port, index) => [`API${index + 1}`, `127.0.0.1:${port}`])),
})

const startHaproxy = (
  programs: ClusterPrograms,
  directory: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess => {
  const log = createWriteStream(join(directory, 'haproxy.log'))
  const child = spawn(programs.haproxy, ['-db', '-f', settings], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  return child
}

const createDatabase = async (port: number): Promise<void> => {
  const connect = async (): Promise<pg.Client | undefined> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password: databasePassword })
    client.on('error', () => undefined)
    return client.connect().then(
      () => client,
      () => undefined,
    )
  }
  let client = await connect()
  // HAProxy has to see the primary first.
  await until('HAProxy leads to the primary', async () => (client ??= await connect()) !== undefined)
  await client?.query(`create role waybill login password 'waybill'`)
  await client?.query('create database waybill owner waybill')
  await client?.end()
}

const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
  for (const startedAt = performance.now(); !(await look()); await sleep(lookEveryMs))
    if (performance.now() - startedAt > wholeWithinMs)
      throw new Error(`Waited ${wholeWithinMs / 1_000} s until ${what}.`)
}
