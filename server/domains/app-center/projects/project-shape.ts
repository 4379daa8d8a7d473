import {
  fileUrl,
  initiallyFalse,
  list,
  named,
  number,
  object,
  secret,
  secretFile,
  text,
  time,
  truth,
  type ObjectNode,
  type ShapeNode,
  type Tree,
} from './shape.ts'

const both = (node: ShapeNode): ObjectNode => object({ production: node, staging: node })

const keystore = both(
  named(
    'Keystore',
    object({ keystore: fileUrl('release.keystore'), keystorePassword: secret, keyAlias: text, keyPassword: secret }),
  ),
)
const iosCredential = both(
  named(
    'IosCredential',
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
const codedAppStatus = both(named('CodedAppStatus', object({ ...appStatus, versionCode: number })))

/** The nested objects of a project (document 1, "Project" and the tables after it). */
export const projectShape = {
  credential: named('Credentials', object({ android: keystore, huawei: keystore, ios: iosCredential })),
  additionalCredentials: named(
    'AdditionalCredentials',
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
    object({ android: codedAppStatus, huawei: codedAppStatus, ios: both(named('AppStatus', object(appStatus))) }),
  ),
} as const

export type ObjectName = keyof typeof projectShape

/** What a project holds in its nested objects; each is empty where nothing is stored. */
export type ProjectObjects = Readonly<Record<ObjectName, Tree>>

export const noObjects: ProjectObjects = {
  credential: {},
  additionalCredentials: {},
  storeCredentials: {},
  appStatuses: {},
}

/** All of them as one, so that every path in an error begins with the name of the object. */
export const wholeShape = object(projectShape)
