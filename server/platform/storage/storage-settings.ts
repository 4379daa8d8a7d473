import { Type } from 'typebox'

export interface S3Settings {
  readonly bucket: string
  /** `http(s)://host[:port]` */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const awsEndpoint = 'https://s3.amazonaws.com'

/** Where files are kept that were made here. */
export const storageSettings = {
  EXPORT_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Folder for exported files; several machines have to share it. Without it exports in DATA_DIR.',
    }),
  ),
  S3_BUCKET: Type.Optional(
    Type.String({
      format: 'bucket',
      description: 'Bucket of S3, or of anything that speaks as S3 does, for exported files instead of a folder.',
    }),
  ),
  S3_ENDPOINT: Type.String({
    format: 'origin',
    default: awsEndpoint,
    description: 'Where that bucket is.',
  }),
  S3_REGION: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    default: 'us-east-1',
    description: 'Region of that bucket.',
  }),
  S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({ pattern: '^[!-~]{1,128}$', description: 'Key for that bucket. Required with S3_BUCKET.' }),
  ),
  S3_SECRET_ACCESS_KEY: Type.Optional(
    Type.String({ pattern: '^[!-~]{1,256}$', description: 'Secret of that key. Required with S3_BUCKET.' }),
  ),
}

interface Given {
  readonly S3_BUCKET?: string
  readonly S3_ACCESS_KEY_ID?: string
}
type Rule = readonly [name: keyof typeof storageSettings, isNeeded: (given: Given) => boolean, sentence: string]

const needsKey = ({ S3_BUCKET }: Given): boolean => S3_BUCKET !== undefined

/** Which of them need each other. */
export const storageTogether: readonly Rule[] = [
  ['S3_ACCESS_KEY_ID', needsKey, 'S3_ACCESS_KEY_ID is required with S3_BUCKET: nothing is read or written without it.'],
  [
    'S3_SECRET_ACCESS_KEY',
    needsKey,
    'S3_SECRET_ACCESS_KEY is required with S3_BUCKET: nothing is read or written without it.',
  ],
  [
    'S3_BUCKET',
    ({ S3_ACCESS_KEY_ID }) => S3_ACCESS_KEY_ID !== undefined,
    'S3_BUCKET is required with S3_ACCESS_KEY_ID: without it files would go to a folder of this machine.',
  ],
]

/** Names that every one of those services takes: lower case, without the forms that are read as addresses. */
export const isBucketName = (text: string): boolean =>
  /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)
