import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './start-cluster.ts'

export interface Scene {
  readonly cluster: Cluster
  /** Kills one of the servers, chosen at random; it is started again. */
  killProcess(): Promise<void>
}

/** Something that happens to machines or processes; over when it resolves. */
export interface ClusterTrouble {
  readonly name: string
  /** Whether another machine has to become the primary. */
  readonly isFailover: boolean
  happen(scene: Scene): Promise<void>
}

/** After another machine has become the primary: whoever was cut off comes back to a cluster that goes on without it. */
const afterFailoverMs = 5_000
/** Longer than it takes for another standby to become the synchronous one. */
const withoutStandbyMs = 12_000
const betweenKillsMs = 2_000

export const primaryKilled: ClusterTrouble = {
  name: 'the machine of the primary is killed, and a process with it',
  isFailover: true,
  happen: async ({ cluster, killProcess }) => {
    const primary = await cluster.primary()
    await Promise.all([primary.kill(), killProcess()])
    await cluster.primary()
    await sleep(afterFailoverMs)
    primary.start()
  },
}

const primaryCutOff: ClusterTrouble = {
  name: 'the machine of the primary is cut off, and comes back',
  isFailover: true,
  happen: async ({ cluster }) => {
    const primary = await cluster.primary()
    primary.freeze()
    await cluster.primary()
    await sleep(afterFailoverMs)
    primary.thaw()
  },
}

const standby = (name: string, strike: 'kill' | 'freeze'): ClusterTrouble => ({
  name,
  isFailover: false,
  happen: async ({ cluster }) => {
    const roles = await Promise.all(cluster.machines.map((machine) => machine.is('sync')))
    const machine = cluster.machines.find((_, index) => roles[index])
    await machine?.[strike]()
    await sleep(withoutStandbyMs)
    if (strike === 'kill') machine?.start()
    else machine?.thaw()
  },
})

const processesKilled: ClusterTrouble = {
  name: 'five processes are killed, one after the other',
  isFailover: false,
  happen: async ({ killProcess }) => {
    for (let time = 0; time < 5; time++) {
      await killProcess()
      await sleep(betweenKillsMs)
    }
  },
}

export const clusterTroubles: readonly ClusterTrouble[] = [
  processesKilled,
  primaryKilled,
  standby('the machine of the synchronous standby is killed', 'kill'),
  primaryCutOff,
  standby('the machine of the synchronous standby is cut off, and comes back', 'freeze'),
]
