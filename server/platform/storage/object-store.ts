import type { Readable } from 'node:stream'

/** Where files are kept that were made here and are fetched later: a folder, or a bucket. */
export interface ObjectStore {
  /**
   * Keeps a file under a key: letters, digits, `-`, `_` and `.`. It is there whole or not at all, whenever the process dies, and
   * takes the place of one with the same key.
   * @param path a file of this machine, which may be moved away from there.
   */
  put(key: string, path: string, options: { readonly contentType: string; readonly signal: AbortSignal }): Promise<void>
  /** The bytes of a file; undefined when there is none. */
  read(key: string): Promise<Readable | undefined>
  /** Removes a file. One that is not there is as good as removed. */
  remove(key: string): Promise<void>
  /** Removes what is left of files that never became whole, a day after their processes died: those whose keys begin so. */
  removeAbandoned(prefix: string): Promise<void>
}

/** The bucket that files are kept in, and the key for it. */
export interface S3Settings {
  readonly bucket: string
  /** `http(s)://host[:port]` */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const awsEndpoint = 'https://s3.amazonaws.com'

/** No `/`, and no `.` first: neither a way out of a folder, nor the name of a file that is still being written. */
const form = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

/**
 * The key of a file, as it is.
 * @throws Error when it is none: keys are made by the server, so that is a bug.
 */
export const checkedKey = (key: string): string => {
  if (form.test(key)) return key
  throw new Error(`${JSON.stringify(key)} cannot be the key of a file.`)
}
