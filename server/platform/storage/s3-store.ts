import { hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { Client } from 'minio'
import { checkedKey } from './object-key.ts'
import type { ObjectStore } from './object-store.ts'
import { connect, withRetries, type S3Settings } from './s3-client.ts'
import { codeOf, explained } from './s3-trouble.ts'

/** What is in memory at once while a file is sent. */
const partBytes = 8_388_608
/** S3 takes no more of one file. */
const mostParts = 10_000

/** A bucket of S3, or of anything that speaks as S3 does. */
export const makeS3Store = (settings: S3Settings): ObjectStore => {
  const { bucket } = settings
  const client = connect(settings)
  const explaining = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      throw explained(error, settings)
    }
  }

  return {
    put: (key, path, { contentType, signal }) => {
      const upload = { settings, key: checkedKey(key), contentType, signal }
      return explaining(async () => {
        signal.throwIfAborted()
        const file = await open(path, 'r')
        try {
          const { size } = await file.stat()
          await (size <= partBytes ? sendWhole(upload, file, size) : sendInParts(upload, file, size))
        } finally {
          await file.close()
        }
      })
    },
    read: (key, range) => {
      const name = checkedKey(key)
      const { start, bytes } = range === undefined ? whole : { start: range.start, bytes: range.end - range.start + 1 }
      return explaining(async () => {
        try {
          return await withRetries(() => client.getPartialObject(bucket, name, start, bytes))
        } catch (error) {
          if (codeOf(error) === 'NoSuchKey') return undefined
          throw error
        }
      })
    },
    remove: (key) => {
      const name = checkedKey(key)
      return explaining(() => withRetries(() => client.removeObject(bucket, name)))
    },
    removeAbandoned: (prefix) => explaining(() => removeAbandoned(client, bucket, prefix)),
  }
}

const checkWithinMs = 5_000

/**
 * Asks for a file that is not there: unlike other questions, its answer says what is wrong.
 * @throws S3SettingError when a setting is; another error when the bucket cannot be asked now.
 */
export const checkBucket = async (settings: S3Settings): Promise<void> => {
  const client = connect(settings, AbortSignal.timeout(checkWithinMs))
  try {
    const found = await client.getObject(settings.bucket, 'is-this-bucket-there')
    found.destroy()
  } catch (error) {
    if (codeOf(error) !== 'NoSuchKey') throw explained(error, settings)
  }
}

/** As the client has it: no offset and no length. */
const whole = { start: 0, bytes: 0 }

interface Upload {
  readonly settings: S3Settings
  readonly key: string
  readonly contentType: string
  readonly signal: AbortSignal
}

const sendWhole = async ({ settings, key, contentType, signal }: Upload, file: FileHandle, size: number) => {
  const client = connect(settings, signal)
  const bytes = await bytesOf(file, 0, size)
  const headers = { 'Content-Type': contentType }
  await withRetries(() => client.putObject(settings.bucket, key, bytes, size, headers), signal)
}

/**
 * Parts of an upload of its own, which S3 makes one file of at the end. (The client's way for streams goes on with
 * whatever upload of that key it finds, also one that somebody else is busy with.)
 */
const sendInParts = async (upload: Upload, file: FileHandle, size: number): Promise<void> => {
  const { settings, key, contentType, signal } = upload
  const { bucket } = settings
  const client = connect(settings, signal)
  const retried = <T>(run: () => Promise<T>): Promise<T> => withRetries(run, signal)

  const headers = { 'content-type': contentType }
  const uploadId = await retried(() => client.initiateNewMultipartUpload(bucket, key, headers))
  try {
    const parts: { part: number; etag: string }[] = []
    for (const { part, at, length } of partsOf(size)) {
      const bytes = await bytesOf(file, at, length)
      const target = { bucketName: bucket, objectName: key, uploadID: encodeURIComponent(uploadId), partNumber: part }
      const sent = { ...target, headers: { 'content-md5': hash('md5', bytes, 'base64') } }
      const { etag } = await retried(() => client.uploadPart(sent, bytes))
      parts.push({ part, etag })
    }
    await retried(() => client.completeMultipartUpload(bucket, key, uploadId, parts))
  } catch (error) {
    await forgetParts(upload, uploadId, error)
    throw error
  }
}

/** Also when the upload ended because it was told to, so without its signal. */
const forgetParts = async ({ settings, key }: Upload, uploadId: string, reason: unknown): Promise<void> => {
  try {
    await abort(connect(settings), settings.bucket, { key, uploadId })
  } catch (error) {
    const both = [reason, error]
    throw new AggregateError(both, `${String(reason)} (and the parts sent so far are still there)`, { cause: error })
  }
}

interface Unfinished {
  readonly key: string
  readonly uploadId: string
}

/** One that is gone is as good as given up. */
const abort = async (client: Client, bucket: string, { key, uploadId }: Unfinished): Promise<void> => {
  try {
    await withRetries(() => client.abortMultipartUpload(bucket, key, encodeURIComponent(uploadId)))
  } catch (error) {
    if (codeOf(error) !== 'NoSuchUpload') throw error
  }
}

/** No upload takes as long: its process has died. */
const abandonedAfterMs = 86_400_000

/** Of several of one key at the end of a page some may be left for the next time: the client reads half of where a page ends. */
const removeAbandoned = async (client: Client, bucket: string, prefix: string): Promise<void> => {
  for (let after = '', isLast = false; !isLast;) {
    const page = await withRetries(() => client.listIncompleteUploadsQuery(bucket, prefix, after, '', ''))
    for (const upload of page.uploads)
      if (Date.now() - upload.initiated.getTime() > abandonedAfterMs) await abort(client, bucket, upload)
    isLast = !page.isTruncated || page.nextKeyMarker === ''
    after = page.nextKeyMarker
  }
}

function* partsOf(size: number): Generator<{ part: number; at: number; length: number }> {
  const step = Math.max(partBytes, Math.ceil(size / mostParts))
  for (let part = 1, at = 0; at < size; part += 1, at += step) yield { part, at, length: Math.min(step, size - at) }
}

const bytesOf = async (file: FileHandle, at: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, at + filled)
    if (bytesRead === 0) throw new Error('The file became shorter while it was sent.')
    filled += bytesRead
  }
  return buffer
}
