import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { CommandFailure, exitCodes } from '../failure.ts'
import type { ServerFlags } from '../flags.ts'
import { note, say } from '../output.ts'
import { clientOf, type Client } from './client.ts'
import { receive, type Received } from './receive.ts'

export interface ListenFlags extends ServerFlags {
  readonly event?: readonly string[]
  readonly host: string
  readonly port: number
  readonly url?: string
  readonly forward?: string
  readonly secret?: string
}

/** waybill listen: a receiver that verifies, prints and sends on, subscribed for as long as it runs. */
export const listen = async (flags: ListenFlags): Promise<void> => {
  if (flags.secret !== undefined && flags.event !== undefined)
    throw new CommandFailure(
      '--secret verifies what a hook of yours sends, so --event subscribes to nothing: leave one out.',
      exitCodes.wrongUsage,
    )
  const client = flags.secret === undefined ? clientOf(flags) : undefined
  const secret = flags.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const tell = flags.json === true ? (received: Received) => say(JSON.stringify(received)) : print
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const server = await receive({ host: flags.host, port: flags.port, secret, forward: flags.forward, tell })
  try {
    const { port } = server.address() as AddressInfo
    const address = flags.url ?? `http://${flags.host}:${port}/`
    if (client === undefined) note(`Listening at ${address} for what is signed with the secret. Ctrl-C ends it.`)
    else await whileSubscribed(client, { events: flags.event ?? ['*'], address, secret }, () => stopped)
    await stopped
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

interface Wanted {
  readonly events: readonly string[]
  readonly address: string
  readonly secret: string
}

/** Leaves no hook behind, unless it is killed without a word. */
const whileSubscribed = async (client: Client, wanted: Wanted, work: () => Promise<unknown>): Promise<void> => {
  const { id } = await client.ask<{ id: number }>('POST', '/whisperer/hooks/', {
    event_type: wanted.events,
    target_url: wanted.address,
    secret_key: wanted.secret,
  })
  try {
    note(
      `Listening at ${wanted.address} for ${wanted.events.join(', ')} (hook ${id}). Ctrl-C ends it and removes the hook.`,
    )
    await work()
  } finally {
    await client.ask('DELETE', `/whisperer/hooks/${id}/`)
    note(`Hook ${id} was removed.`)
  }
}

const print = ({ at, id, type, problem, status, body }: Received): void => {
  const what = problem === undefined ? `verified ${type}` : `refused: ${problem}`
  say(`${at.slice(11, 23)} ${what} webhook-id=${id} -> ${status}`)
  if (problem === undefined) say(`  ${body}`)
}
