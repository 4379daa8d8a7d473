import type { TFunction } from 'i18next'
import type { Schema } from '#api/types.ts'
import { fromLocalTime, toLocalTime } from '#ui/local-time.ts'
import { environments, platforms } from './release-words.ts'

/** How a field is written; a secret is shown as ******** where one is stored, and kept by sending that back. */
export type FieldKind = 'text' | 'url' | 'secret' | 'secret_file' | 'time' | 'flag' | 'number'
type Fields<T> = Readonly<Record<keyof T & string, FieldKind>>

/** Fields of a project that belong together. */
export interface FieldGroup {
  /** Where they stand in the record, as in `credential.ios.production`; also their address. */
  readonly id: string
  readonly part: 'credential' | 'storeCredentials' | 'appStatuses'
  /** What they are about: a platform with its environment, or a store. @param t the texts of projects */
  readonly name: (t: TFunction) => string
  readonly fields: Readonly<Record<string, FieldKind>>
}

type Stores = Required<Schema<'StoreCredentials'>>

const ios: Fields<Schema<'IosCredential'>> = {
  certificate: 'url',
  password: 'secret',
  certificateExpiration: 'time',
  provisioningProfile: 'url',
  provisioningExpiration: 'time',
  certificateApn: 'url',
  certificateApnKey: 'secret',
}
const keystore: Fields<Schema<'Keystore'>> = {
  keystore: 'url',
  keystorePassword: 'secret',
  keyAlias: 'text',
  keyPassword: 'secret',
}
const stores: { readonly [S in keyof Stores]: Fields<Stores[S]> } = {
  googlePlay: { packageName: 'text', googleServiceFile: 'url' },
  appleAppStore: {
    appIdentifier: 'text',
    keyId: 'text',
    keyIssuerId: 'text',
    apiKeyFile: 'secret_file',
    keyInHouse: 'flag',
    teamId: 'text',
    teamName: 'text',
    appSpecificId: 'text',
  },
  huaweiAppGallery: { clientId: 'text', clientSecret: 'secret' },
}
/** `createdAt` and `updatedAt` are left to the distributions that succeed. */
const status: Fields<Omit<Schema<'AppStatus'>, 'createdAt' | 'updatedAt'>> = {
  status: 'flag',
  storeVersion: 'text',
  envVersion: 'text',
  tag: 'text',
  publisher: 'text',
  // A text of one's own is kept as it is.
  publishedAt: 'text',
  deploymentId: 'text',
}
const codedStatus: Fields<Omit<Schema<'CodedAppStatus'>, 'createdAt' | 'updatedAt'>> = {
  ...status,
  versionCode: 'number',
}

const placesOf = (part: 'credential' | 'appStatuses', fieldsOn: (platform: string) => FieldGroup['fields']) =>
  platforms.flatMap((platform) =>
    environments.map((environment): FieldGroup => ({
      id: `${part}.${platform}.${environment}`,
      part,
      name: (t) => `${t(`platform.${platform}`)}, ${t(`environment.${environment}`)}`,
      fields: fieldsOn(platform),
    })),
  )

/** What signs an app, and how its stores are reached. */
export const credentialGroups: readonly FieldGroup[] = [
  ...placesOf('credential', (platform) => (platform === 'ios' ? ios : keystore)),
  ...Object.entries(stores).map(([store, fields]): FieldGroup => ({
    id: `storeCredentials.${store}`,
    part: 'storeCredentials',
    name: (t) => t(`target.${store}`),
    fields,
  })),
]

/** What of an app is out. */
export const statusGroups = placesOf('appStatuses', (platform) => (platform === 'ios' ? status : codedStatus))

type Stored = Readonly<Record<string, unknown>>

/** What a project has of a group. */
export const storedOf = (project: object, { id }: FieldGroup): Stored =>
  id.split('.').reduce<Stored>((inner, name) => (inner[name] ?? {}) as Stored, project as Stored)

export type FieldValues = Record<string, string | number | boolean>

/** What is stored, as a form shows it. */
export const toFields = ({ fields }: FieldGroup, stored: Stored): FieldValues =>
  Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, shownOf(kind, stored[name])]))

const shownOf = (kind: FieldKind, value: unknown): string | number | boolean => {
  if (kind === 'flag') return value === true
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return ''
  return kind === 'time' ? toLocalTime(value) : value
}

/** The change of a project that makes of `before` what a form has now: what is as it was is left out, what is empty is removed. */
export const changeOf = ({ id, fields }: FieldGroup, before: FieldValues, now: FieldValues): Schema<'ProjectPatch'> => {
  const changed = Object.entries(now).filter(([name, value]) => value !== before[name])
  const sent = Object.fromEntries(changed.map(([name, value]) => [name, sentOf(fields[name], value)]))
  return id.split('.').reduceRight<object>((inner, name) => ({ [name]: inner }), sent)
}

const sentOf = (kind: FieldKind | undefined, value: string | number | boolean) => {
  if (value === '') return null
  return kind === 'time' ? fromLocalTime(String(value)) : value
}
