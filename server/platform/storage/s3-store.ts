import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type CompletedPart,
  type ListMultipartUploadsCommandInput,
} from '@aws-sdk/client-s3'
import { dayMs } from '../clock.ts'
import { awsEndpoint, checkedKey, type ObjectStore, type S3Settings } from './object-store.ts'
import { codeOf, explained } from './s3-trouble.ts'

/** What is in memory at once while a file is sent. */
const partBytes = 8_388_608
/** S3 takes no more of one file. */
const maxParts = 10_000
/** Tries of a request: connections break, and servers are busy. */
const maxAttempts = 4
const connectWithinMs = 10_000
/** From the first byte of a request, a part of a file for example, to the first of its answer. */
const answerWithinMs = 120_000

export const connectS3 = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client =>
  new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Of S3 itself each region has its own.
    ...(endpoint === awsEndpoint ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts,
    // Many services that speak as S3 does know no others.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectWithinMs,
      requestTimeout: answerWithinMs,
      throwOnRequestTimeout: true,
    },
  })

/** A bucket of S3, or of anything that speaks as S3 does. */
export const makeS3Store = (settings: S3Settings): ObjectStore => {
  const { bucket: Bucket } = settings
  const client = connectS3(settings)
  const explaining = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      throw explained(error, settings)
    }
  }

  return {
    put: (key, path, { contentType, signal }) => {
      const target = { Bucket, Key: checkedKey(key) }
      return explaining(async () => {
        signal.throwIfAborted()
        const { size } = await stat(path)
        const upload = { client, target, contentType, signal, path, size }
        await (size <= partBytes ? sendWhole(upload) : sendInParts(upload))
      })
    },
    read: (key) => {
      const target = { Bucket, Key: checkedKey(key) }
      return explaining(() => read(client, target))
    },
    remove: (key) => {
      const target = { Bucket, Key: checkedKey(key) }
      return explaining(async () => void (await client.send(new DeleteObjectCommand(target))))
    },
    removeAbandoned: (prefix) => explaining(() => removeAbandoned(client, Bucket, prefix)),
  }
}

const checkWithinMs = 5_000

/**
 * Asks for a file that is not there: unlike other questions, its answer says what is wrong.
 * @throws S3SettingError when a setting is; another error when the bucket cannot be asked now.
 */
export const checkBucket = async (settings: S3Settings): Promise<void> => {
  const client = connectS3(settings)
  try {
    const question = new GetObjectCommand({ Bucket: settings.bucket, Key: 'is-this-bucket-there' })
    await client.send(question, { abortSignal: AbortSignal.timeout(checkWithinMs) })
  } catch (error) {
    if (codeOf(error) !== 'NoSuchKey') throw explained(error, settings)
  } finally {
    client.destroy()
  }
}

interface Target {
  readonly Bucket: string
  readonly Key: string
}

const read = async (client: S3Client, target: Target): Promise<Readable | undefined> => {
  try {
    const { Body } = await client.send(new GetObjectCommand(target))
    // In Node.js a body is one.
    return Body as Readable
  } catch (error) {
    if (codeOf(error) === 'NoSuchKey') return undefined
    throw error
  }
}

interface Upload {
  readonly client: S3Client
  readonly target: Target
  readonly contentType: string
  readonly signal: AbortSignal
  readonly path: string
  readonly size: number
}

const sendWhole = async ({ client, target, contentType, signal, path }: Upload): Promise<void> => {
  const Body = await readFile(path)
  await client.send(new PutObjectCommand({ ...target, ContentType: contentType, Body }), { abortSignal: signal })
}

/** Parts of an upload of its own, which S3 makes one file of at the end. */
const sendInParts = async ({ client, target, contentType, signal, path, size }: Upload): Promise<void> => {
  const options = { abortSignal: signal }
  const begin = new CreateMultipartUploadCommand({ ...target, ContentType: contentType })
  const { UploadId } = await client.send(begin, options)
  const upload = { ...target, UploadId }
  try {
    const Parts: CompletedPart[] = []
    const step = Math.max(partBytes, Math.ceil(size / maxParts))
    for (let at = 0, PartNumber = 1; at < size; at += step, PartNumber += 1) {
      const Body = await buffer(createReadStream(path, { start: at, end: at + step - 1 }))
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }), options)
      Parts.push({ PartNumber, ETag })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), options)
  } catch (error) {
    // Also when it was stopped, so without the signal. Parts that stay are removed a day later.
    await abort(client, upload).catch(() => undefined)
    throw error
  }
}

interface Unfinished extends Target {
  readonly UploadId: string | undefined
}

/** An upload that is gone is as good as given up. */
const abort = async (client: S3Client, upload: Unfinished): Promise<void> => {
  try {
    await client.send(new AbortMultipartUploadCommand(upload))
  } catch (error) {
    if (codeOf(error) !== 'NoSuchUpload') throw error
  }
}

/** No upload takes as long: its process has died. */
const abandonedAfterMs = dayMs

const removeAbandoned = async (client: S3Client, Bucket: string, Prefix: string): Promise<void> => {
  let after: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {}
  for (let isLast = false; !isLast;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...after }))
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? [])
      if (Initiated !== undefined && Date.now() - Initiated.getTime() > abandonedAfterMs)
        await abort(client, { Bucket, Key, UploadId })
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
    isLast = page.IsTruncated !== true
  }
}
