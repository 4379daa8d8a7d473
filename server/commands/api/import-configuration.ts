import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { CommandFailure } from '../failure.ts'
import type { ServerFlags } from '../flags.ts'
import { say, sayJson } from '../output.ts'
import { clientOf, type Client } from './client.ts'
import { asConfiguration, configured, keyOf, mask, readServer, type Configuration, type Hook } from './configuration.ts'
import { parseJson, readText } from './read-text.ts'

type Fields = Readonly<Record<string, unknown>>

/** One request that brings the server nearer to the file. */
interface Change {
  readonly what: string
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: Fields
  /** A signing secret that is shown once. */
  readonly made?: string
}

export interface ImportFlags extends ServerFlags {
  readonly dryRun?: boolean
  readonly newSecrets?: boolean
}

/** waybill import FILE: makes and changes what differs, and removes nothing. */
export const importConfiguration = async (flags: ImportFlags, file: string): Promise<void> => {
  const wanted = asConfiguration(parseJson(readText(file), file), file)
  const client = clientOf(flags)
  const changes = (await changesFor(client, wanted)).map(flags.newSecrets === true ? withNewSecret : (change) => change)
  const unknown = changes.filter(({ method, body }) => method === 'POST' && JSON.stringify(body).includes(`"${mask}"`))
  if (unknown.length > 0)
    throw new CommandFailure(
      `Nothing was changed. What is masked (${mask}) has to be written into ${file} first, as the server does not have it: ${unknown.map(({ what }) => what).join('; ')}. --new-secrets makes new signing secrets.`,
    )
  const isDry = flags.dryRun === true
  for (const { what, method, path, body, made } of changes) {
    if (!isDry) await client.ask(method, path, body)
    if (flags.json !== true) say(isDry ? `would ${what}` : `${what}${secretIn(made)}`)
  }
  if (flags.json === true)
    sayJson({
      dry_run: isDry,
      changes: changes.map(({ what, made }) => ({ what, new_secret: isDry ? undefined : made })),
    })
  else if (changes.length === 0) say('Nothing to do: the server is as the file says.')
}

const withNewSecret = (change: Change): Change => {
  if (change.method !== 'POST' || change.body['secret_key'] !== mask) return change
  const made = `whsec_${randomBytes(32).toString('base64')}`
  return { ...change, body: { ...change.body, secret_key: made }, made }
}

const secretIn = (made: string | undefined): string => (made === undefined ? '' : `, with the new secret ${made}`)

const changesFor = async (client: Client, wanted: Configuration): Promise<Change[]> => {
  const { eventTypes, hooks, settings } = await readServer(client)
  const changed = differences(wanted.settings, settings)
  return [
    // Hooks may name the types, so these come first.
    ...wanted.event_types.flatMap((type) => typeChange(type, eventTypes)),
    ...wanted.hooks.flatMap((hook) => hookChange(hook, hooks)),
    ...(isEmpty(changed)
      ? []
      : [
          {
            what: `change settings ${namesOf(changed)}`,
            method: 'PATCH',
            path: '/api/v1/settings/',
            body: changed,
          } as const,
        ]),
  ]
}

const typeChange = (wanted: Fields, there: readonly Fields[]): Change[] => {
  const name = String(wanted['name'])
  const present = there.find((type) => type['name'] === name)
  if (present === undefined)
    return [{ what: `make event type ${name}`, method: 'POST', path: '/api/v1/event_types/', body: wanted }]
  const body = differences(wanted, present)
  const path = `/api/v1/event_types/${encodeURIComponent(name)}/`
  return isEmpty(body) ? [] : [{ what: `change event type ${name}: ${namesOf(body)}`, method: 'PATCH', path, body }]
}

const hookChange = (wanted: Hook, there: readonly (Hook & { readonly id: number })[]): Change[] => {
  const name = `hook for ${[wanted.event_type].flat().join(', ')} to ${wanted.target_url}`
  const present = there.find((hook) => keyOf(hook) === keyOf(wanted))
  if (present === undefined)
    return [{ what: `make ${name}`, method: 'POST', path: '/whisperer/hooks/', body: configured(wanted) }]
  const { event_type: _types, target_url: _url, ...fields } = configured(wanted)
  const body = differences(fields, present)
  const path = `/whisperer/hooks/${present.id}/`
  return isEmpty(body) ? [] : [{ what: `change ${name}: ${namesOf(body)}`, method: 'PATCH', path, body }]
}

/** What differs. The server shows no secrets, so one that is named is compared with a mask, and sent. */
const differences = (wanted: Fields, present: Fields): Fields =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(value, present[name])))

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0
const namesOf = (fields: Fields): string => Object.keys(fields).join(', ')
