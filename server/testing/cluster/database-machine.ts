import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import type { ClusterPrograms } from './programs.ts'
import { signalTrees } from './process-tree.ts'

/** Ports of 127.0.0.1 that one database machine listens on. */
export interface MachinePorts {
  readonly postgres: number
  readonly patroni: number
  readonly etcd: number
  readonly etcdPeers: number
}

/** What runs on one machine of a database cluster: etcd, Patroni, and the PostgreSQL that Patroni keeps. */
export interface DatabaseMachine {
  readonly name: string
  readonly ports: MachinePorts
  start(): void
  /** As when its power fails. */
  kill(): Promise<void>
  /** As when its network is cut: nothing is answered, and nobody is told. */
  freeze(): void
  thaw(): void
  /** Whether Patroni says that it is what is asked for: `primary`, `sync`, `replica`. */
  is(role: string): Promise<boolean>
}

export interface MachineOptions {
  readonly name: string
  readonly ports: MachinePorts
  /** All machines by their names. */
  readonly peers: Readonly<Record<string, MachinePorts>>
  /** Where it keeps its data and what it says. */
  readonly directory: string
  readonly programs: ClusterPrograms
}

/** `nobody`, on every Unix: PostgreSQL refuses to run as root but does not care who else it is. */
const nobody = { uid: 65534, gid: 65534 }
const user = process.getuid?.() === 0 ? nobody : {}
const answerWithinMs = 1_000
const asking = new Agent({ connectTimeout: answerWithinMs, headersTimeout: answerWithinMs })
export const databasePassword = 'only for tests on this machine'
const settings = join(import.meta.dirname, '../../../deploy/patroni/patroni.yml')

/** A machine that is not running yet. */
export const makeDatabaseMachine = (options: MachineOptions): DatabaseMachine => {
  const { name, ports, directory, programs } = options
  mkdirSync(directory, { mode: 0o700 })
  if (user === nobody) chownSync(directory, nobody.uid, nobody.gid)
  chmodSync(directory, 0o700)
  const environment = { ...etcdEnvironment(options), ...patroniEnvironment(options) }
  let running: ChildProcess[] = []

  const run = (program: string, args: readonly string[]): ChildProcess => {
    const log = createWriteStream(join(directory, `${program.split('/').at(-1)}.log`), { flags: 'a' })
    const env = { PATH: process.env['PATH'], HOME: directory, LC_ALL: 'C.UTF-8', ...environment }
    const child = spawn(program, args, { ...user, cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout?.pipe(log)
    child.stderr?.pipe(log)
    return child
  }
  /** Patroni starts PostgreSQL so that it outlives Patroni. */
  const roots = (): number[] => {
    const file = join(directory, 'postgres/postmaster.pid')
    const postmaster = existsSync(file) ? [Number(readFileSync(file, 'utf8').split('\n')[0])] : []
    return [...running.flatMap(({ pid }) => (pid === undefined ? [] : [pid])), ...postmaster]
  }

  return {
    name,
    ports,
    start: () => {
      running = [run(programs.etcd, []), run(programs.patroni, [settings])]
    },
    kill: async () => {
      const ends = running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      const gone = ends.map((child) => once(child, 'exit'))
      signalTrees(roots(), 'SIGKILL')
      await Promise.all(gone)
      running = []
    },
    freeze: () => signalTrees(roots(), 'SIGSTOP'),
    thaw: () => signalTrees(roots(), 'SIGCONT'),
    is: async (role) => {
      try {
        const answer = await request(`http://127.0.0.1:${ports.patroni}/${role}`, { dispatcher: asking })
        await answer.body.dump()
        return answer.statusCode === 200
      } catch {
        return false
      }
    },
  }
}

const etcdEnvironment = ({ name, ports, peers, directory }: MachineOptions): Readonly<Record<string, string>> => {
  const peer = `http://127.0.0.1:${ports.etcdPeers}`
  const clients = `http://127.0.0.1:${ports.etcd}`
  const members = Object.entries(peers).map(([other, { etcdPeers }]) => `${other}=http://127.0.0.1:${etcdPeers}`)
  return {
    ETCD_NAME: name,
    ETCD_DATA_DIR: join(directory, 'etcd'),
    ETCD_LISTEN_PEER_URLS: peer,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
    ETCD_LISTEN_CLIENT_URLS: clients,
    ETCD_ADVERTISE_CLIENT_URLS: clients,
    ETCD_INITIAL_CLUSTER: members.join(','),
    ETCD_INITIAL_CLUSTER_STATE: 'new',
  }
}

const patroniEnvironment = ({ name, ports, peers, directory, programs }: MachineOptions) => ({
  PATRONI_NAME: name,
  PATRONI_ETCD3_HOSTS: Object.values(peers)
    .map(({ etcd }) => `127.0.0.1:${etcd}`)
    .join(','),
  PATRONI_RESTAPI_LISTEN: `127.0.0.1:${ports.patroni}`,
  PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${ports.patroni}`,
  PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${ports.postgres}`,
  PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${ports.postgres}`,
  PATRONI_POSTGRESQL_BIN_DIR: programs.postgres,
  PATRONI_POSTGRESQL_DATA_DIR: join(directory, 'postgres'),
  PATRONI_POSTGRESQL_PGPASS: join(directory, 'pgpass'),
  PATRONI_SUPERUSER_USERNAME: 'postgres',
  PATRONI_SUPERUSER_PASSWORD: databasePassword,
  PATRONI_REPLICATION_USERNAME: 'replicator',
  PATRONI_REPLICATION_PASSWORD: databasePassword,
})

const anyPorts: MachinePorts = { postgres: 0, patroni: 0, etcd: 0, etcdPeers: 0 }
const anyMachine: MachineOptions = {
  name: '',
  ports: anyPorts,
  peers: {},
  directory: '',
  programs: { patroni: '', etcd: '', haproxy: '', postgres: '' },
}

/** Names of the variables that a machine is configured with, which deploy/patroni/node.env has to have. */
export const machineEnvironment: readonly string[] = Object.keys({
  ...etcdEnvironment(anyMachine),
  ...patroniEnvironment(anyMachine),
})
