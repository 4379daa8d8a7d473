import { Type } from 'typebox'
import { SentTime } from '#platform/http/schemas.ts'
import type { LeafNode, ListNode, ObjectNode, ShapeNode, Tree } from './shape.ts'

/** Characters of a text, and of a key file that is given as text. */
const maxCharacters = 2_048
const maxKeyCharacters = 20_000

const object = (fields: ObjectNode['fields']): ObjectNode => ({ kind: 'object', fields })
const named = (name: string, description: string, node: ObjectNode): ObjectNode => ({ ...node, name, description })
const list = (fields: ListNode['fields']): ListNode => ({ kind: 'list', fields })

const secretOf = (maxLength: number): LeafNode => ({
  kind: 'leaf',
  isSecret: true,
  schema: Type.String({
    maxLength,
    description: 'Write-only: answers show ******** where one is stored, and sending that back keeps it.',
  }),
})

const text: LeafNode = { kind: 'leaf', schema: Type.String({ maxLength: maxCharacters }) }
const secret = secretOf(maxCharacters)
const secretFile = secretOf(maxKeyCharacters)
/** Where a file lies; the example is one of its kind. */
const fileUrl = (example: string): LeafNode => ({
  kind: 'leaf',
  schema: Type.String({
    maxLength: maxCharacters,
    format: 'uri',
    description: 'An absolute URI.',
    examples: [`https://files.example.com/${example}`],
  }),
})
const time: LeafNode = {
  kind: 'leaf',
  isTime: true,
  schema: SentTime({
    description: 'RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC; answered in UTC with milliseconds.',
    examples: ['2027-03-01T12:00:00.000Z'],
  }),
}
const truth: LeafNode = { kind: 'leaf', schema: Type.Boolean() }
const initiallyFalse: LeafNode = {
  kind: 'leaf',
  initial: false,
  schema: Type.Boolean({ description: 'false where nothing else was said.' }),
}
const number: LeafNode = { kind: 'leaf', schema: Type.Number() }

const both = (node: ShapeNode): ObjectNode => object({ production: node, staging: node })

const keystore = both(
  named(
    'Keystore',
    'The keystore that signs an app, and how to open it.',
    object({ keystore: fileUrl('release.keystore'), keystorePassword: secret, keyAlias: text, keyPassword: secret }),
  ),
)
const iosCredential = both(
  named(
    'IosCredential',
    'What signs an app for iOS and lets it notify.',
    object({
      provisioningProfile: fileUrl('drivers.mobileprovision'),
      certificate: fileUrl('distribution.p12'),
      password: secret,
      certificateApn: fileUrl('push.p12'),
      certificateApnKey: secret,
      provisioningExpiration: time,
      certificateExpiration: time,
    }),
  ),
)
const appStatus = {
  createdAt: text,
  deploymentId: text,
  envVersion: text,
  publishedAt: text,
  publisher: text,
  storeVersion: text,
  tag: text,
  updatedAt: text,
  status: truth,
}
const codedAppStatus = both(
  named(
    'CodedAppStatus',
    'What of an app is distributed, in a store that counts versions.',
    object({ ...appStatus, versionCode: number }),
  ),
)

/** The nested objects of a project (document 1, "Project" and the tables after it). */
export const projectShape = {
  credential: named(
    'Credentials',
    'What signs an app, for each platform.',
    object({ android: keystore, huawei: keystore, ios: iosCredential }),
  ),
  additionalCredentials: named(
    'AdditionalCredentials',
    'What signs further bundles of an app, such as widgets.',
    object({
      ios: both(
        list({
          bundleIdentifier: text,
          provisioningProfile: fileUrl('widget.mobileprovision'),
          provisioningExpiration: time,
        }),
      ),
    }),
  ),
  storeCredentials: named(
    'StoreCredentials',
    'How the stores of an app are reached.',
    object({
      googlePlay: object({ googleServiceFile: fileUrl('google-service-account.json'), packageName: text }),
      appleAppStore: object({
        keyId: text,
        keyIssuerId: text,
        apiKeyFile: secretFile,
        keyInHouse: initiallyFalse,
        appIdentifier: text,
        teamId: text,
        teamName: text,
        appSpecificId: text,
      }),
      huaweiAppGallery: object({ clientId: text, clientSecret: secret }),
    }),
  ),
  appStatuses: named(
    'AppStatuses',
    'What of an app is distributed, for each platform and environment.',
    object({
      android: codedAppStatus,
      huawei: codedAppStatus,
      ios: both(named('AppStatus', 'What of an app is distributed.', object(appStatus))),
    }),
  ),
} as const

/** What a project holds in its nested objects; each is empty where nothing is stored. */
export type ProjectObjects = Readonly<Record<keyof typeof projectShape, Tree>>

export const noObjects: ProjectObjects = {
  credential: {},
  additionalCredentials: {},
  storeCredentials: {},
  appStatuses: {},
}

/** All of them as one, so that every path in an error begins with the name of the object. */
export const wholeShape = object(projectShape)
