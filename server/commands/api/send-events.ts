import { randomUUID } from 'node:crypto'
import { CommandFailure, exitCodes } from '../failure.ts'
import type { ServerFlags } from '../flags.ts'
import { say, sayJson } from '../output.ts'
import { clientOf } from './client.ts'
import { parseJson, readText } from './read-text.ts'

export interface SendEventsFlags extends ServerFlags {
  readonly data?: string
  readonly id?: string
  readonly object?: string
  readonly timestamp?: Date
  readonly file?: string
  readonly strict?: boolean
}

interface Answer {
  readonly accepted: number
  readonly duplicates: number
}

/** What the server takes in one request. */
const maxEvents = 1_000

/** waybill events send [TYPE]: one event, or those of a file. */
export const sendEvents = async (flags: SendEventsFlags, type?: string): Promise<void> => {
  const client = clientOf(flags)
  const events = eventsOf(flags, type)
  const total = { accepted: 0, duplicates: 0 }
  for (let first = 0; first < events.length; first += maxEvents) {
    const some = events.slice(first, first + maxEvents)
    const path = `/api/v1/events/${flags.strict === true ? '?strict=true' : ''}`
    const { accepted, duplicates } = await client.ask<Answer>('POST', path, some)
    total.accepted += accepted
    total.duplicates += duplicates
  }
  if (flags.json === true) return sayJson(total)
  say(`${total.accepted} accepted, ${total.duplicates} duplicates.`)
}

const eventsOf = (flags: SendEventsFlags, type: string | undefined): readonly unknown[] => {
  if ((type === undefined) === (flags.file === undefined))
    throw new CommandFailure('Name the type of one event, or a --file with events.', exitCodes.wrongUsage)
  if (flags.file !== undefined) return eventsIn(readText(flags.file), flags.file)
  return [
    {
      id: flags.id ?? `cli-${randomUUID()}`,
      type,
      data: parseJson(flags.data === '-' ? readText('-') : (flags.data ?? '{}'), '--data'),
      object: flags.object === undefined ? undefined : objectOf(flags.object),
      timestamp: flags.timestamp?.toISOString(),
    },
  ]
}

/** A list in JSON, or an event on each line. */
const eventsIn = (text: string, file: string): readonly unknown[] => {
  if (text.trimStart().startsWith('[')) return parseJson(text, file) as unknown[]
  const lines = text.split('\n').map((line, index) => ({ line, name: `${file}, line ${index + 1},` }))
  return lines.filter(({ line }) => line.trim() !== '').map(({ line, name }) => parseJson(line, name))
}

const objectOf = (input: string): object => {
  const [, type, id] = /^([^:]+):(.+)$/.exec(input) ?? []
  if (id === undefined) throw new CommandFailure('--object must be like customer:7.', exitCodes.wrongUsage)
  return { type, id }
}
