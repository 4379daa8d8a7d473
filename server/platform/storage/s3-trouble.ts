import { S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Settings } from './object-store.ts'

/** A setting is wrong: trying again does not help. */
export class S3SettingError extends Error {
  override readonly name = 'S3SettingError'
}

const otherRegion = ({ bucket, region }: S3Settings): string => `S3_REGION: the bucket ${bucket} is not in ${region}.`

/** The codes of S3 that say which setting is wrong. */
const faults: Readonly<Record<string, (settings: S3Settings) => string>> = {
  NoSuchBucket: ({ bucket, endpoint }) => `S3_BUCKET: there is no bucket ${bucket} at ${endpoint}.`,
  InvalidAccessKeyId: ({ endpoint }) => `S3_ACCESS_KEY_ID: ${endpoint} does not know this key.`,
  SignatureDoesNotMatch: () => 'S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID.',
  AccessDenied: ({ bucket }) =>
    `S3_ACCESS_KEY_ID: this key must be able to list, read, write and remove in the bucket ${bucket}.`,
  AuthorizationHeaderMalformed: otherRegion,
  PermanentRedirect: otherRegion,
  MovedPermanently: otherRegion,
}

/** An error of S3 in words for whoever runs the server. */
export const explained = (error: unknown, settings: S3Settings): unknown => {
  const code = codeOf(error)
  const fault = code === undefined ? undefined : faults[code]
  if (fault !== undefined) return new S3SettingError(fault(settings), { cause: error })
  if (!(error instanceof Error) || error.name === 'AbortError') return error
  const what = [code, error.message].filter((part) => part !== undefined && part !== '').join(': ')
  return new Error(`The bucket ${settings.bucket} at ${settings.endpoint}: ${what}`, { cause: error })
}

/** What S3 calls it; undefined when it is no answer of S3. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof S3ServiceException ? error.name : undefined
