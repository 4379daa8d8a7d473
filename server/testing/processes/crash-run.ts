import { setTimeout as sleep } from 'node:timers/promises'
import { prepareServer, serverEnvironment } from '../chaos/prepare-server.ts'
import { untilNothingPending } from '../chaos/until.ts'
import { makePackageLoad, type PackageLoad } from '../data/package-load.ts'
import { startServer } from './server-process.ts'

export interface CrashRunOptions {
  /** For every server: where its data is. */
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string
  readonly receiverUrl: string
  /** Signing secret of the subscriptions. */
  readonly secret: string
  readonly rounds: number
  readonly random: () => number
}

export interface CrashRun {
  readonly load: PackageLoad
  /** When each server was started: those that were killed, and the last one. The one before was dead by then. */
  readonly starts: readonly Date[]
  /** Errors that the servers logged or printed. */
  readonly errors: readonly string[]
  /** Status that the last one ended with, after SIGTERM. */
  readonly exitStatus: number | null
}

const clients = 8
/** Time under load: from the first answers on, because a new process is slow at first. */
const shortestLifeMs = 50
const longestLifeMs = 900
const eventTypes = ['package.created', 'package.status.transitioned']

/** Puts load on servers that are killed at random moments, one after the other on the same data; the last one may drain. */
export const crashAgainAndAgain = async (options: CrashRunOptions): Promise<CrashRun> => {
  const { directory, rounds, random } = options
  const start = () => startServer({ ...serverEnvironment, ...options.environment }, directory)
  const starts: Date[] = []
  const errors: string[] = []

  const first = await start()
  const preparation = { ...options, origin: first.origin, eventTypes, locations: clients, isOrdered: true }
  const { authorization, locations } = await prepareServer(preparation)
  const load = makePackageLoad({ authorization, locations, random })
  await first.stop()

  for (let round = 0; round < rounds; round++) {
    starts.push(new Date())
    const server = await start()
    const { warm, ended } = load.run(server.origin)
    await warm
    await sleep(shortestLifeMs + random() * (longestLifeMs - shortestLifeMs))
    await server.kill()
    await ended
    errors.push(...server.errors)
  }

  starts.push(new Date())
  const last = await start()
  await load.finish(last.origin)
  await untilNothingPending(last.origin, authorization)
  const exitStatus = await last.stop()
  return { load, starts, errors: [...errors, ...last.errors], exitStatus }
}
