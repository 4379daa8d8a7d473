import { CommandFailure, exitCodes } from '../failure.ts'
import type { Client } from './client.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Hook extends Fields {
  readonly id?: number
  readonly event_type: string | readonly string[]
  readonly target_url: string
}

/** What operators configure through the API, without ids and times: what another server would be given. */
export interface Configuration {
  readonly waybill_configuration: 1
  readonly event_types: readonly Fields[]
  readonly hooks: readonly Hook[]
  readonly settings: Fields
}

export const mask = '********'

const eventTypeFields = ['name', 'description', 'schema', 'example', 'is_active']
const hookFields = [
  'event_type',
  'target_url',
  'is_active',
  'retry_countdown_config',
  'additional_headers',
  'config',
  'secret_key',
]

const pick = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]))

/** What the server has, with the ids of its hooks. */
export const readServer = async (client: Client) => ({
  eventTypes: (await client.all<Fields>('/api/v1/event_types/')).map((type) => pick(type, eventTypeFields)),
  hooks: await client.all<Hook & { readonly id: number }>('/whisperer/hooks/'),
  settings: await client.ask<Fields>('GET', '/api/v1/settings/'),
})

/** What a hook is configured with. */
export const configured = (hook: Hook): Hook => pick(hook, hookFields) as Hook

/** Hooks that are the same one: their owner can have only one for the same events and address. */
export const keyOf = ({ event_type: types, target_url: url }: Hook): string =>
  JSON.stringify([[types].flat().toSorted(), url])

/** @throws CommandFailure unless it is what an export is. */
export const asConfiguration = (value: unknown, file: string): Configuration => {
  const {
    waybill_configuration: version,
    event_types: types = [],
    hooks = [],
    settings = {},
  } = Object(value) as Partial<Configuration>
  if (version !== 1 || !Array.isArray(types) || !Array.isArray(hooks))
    throw new CommandFailure(`${file} is no configuration: make one with waybill export.`, exitCodes.wrongUsage)
  return { waybill_configuration: 1, event_types: types, hooks, settings }
}
