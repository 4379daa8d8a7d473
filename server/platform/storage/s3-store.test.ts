import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeTestDirectory } from '#testing/open-test-store.ts'
import { startS3Server } from '#testing/network/s3-server.ts'
import { connectS3, makeS3Store } from './s3-store.ts'

const directory = await makeTestDirectory()
const server = await startS3Server()
const { settings } = server
const store = makeS3Store(settings)
const bytes = randomBytes(17_000_000)
const path = join(directory, 'large.csv')
await writeFile(path, bytes)
const options = { contentType: 'text/csv; charset=utf-8', signal: new AbortController().signal }
const isPart = (url = '', part: number): boolean => new RegExp(`partNumber=${part}(&|$)`).test(url)

beforeEach(() => {
  server.onRequest = () => false
})

test('a large file is sent in parts, with its content type', async () => {
  await store.put('typed.csv', path, options)
  const sent = server.requests.filter((request) => request.includes('partNumber=')).length
  expect(sent).toBe(3)
  expect(await server.openUploads()).toEqual([])
  const answers: (string | undefined)[] = []
  server.onRequest = (_request, response) => {
    response.on('finish', () => answers.push(String(response.getHeader('content-type'))))
    return false
  }
  const stream = await store.read('typed.csv')
  expect(stream && (await buffer(stream)).equals(bytes)).toBe(true)
  expect(answers).toEqual([options.contentType])
})

test('one that is told to stop in the middle leaves nothing: no file, and no parts', async () => {
  const abort = new AbortController()
  server.onRequest = ({ url }) => {
    if (isPart(url, 2)) abort.abort(new Error('enough'))
    return isPart(url, 2)
  }
  const stopped = store.put('stopped.csv', path, { ...options, signal: abort.signal })
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
  expect(await store.read('stopped.csv')).toBeUndefined()
  expect(await server.openUploads()).toEqual([])
})

test('two at once have an upload each', async () => {
  await Promise.all([store.put('both.csv', path, options), store.put('both.csv', path, options)])
  const ids = server.requests.flatMap((request) => /both\.csv\?partNumber=\d+&uploadId=(\w+)/.exec(request)?.[1] ?? [])
  expect(new Set(ids).size).toBe(2)
  expect(ids).toHaveLength(6)
})

describe('what a process that died had sent', () => {
  const unfinished = async (key: string, ageMs: number): Promise<string> => {
    const client = connectS3(settings)
    const target = { Bucket: settings.bucket, Key: key }
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(target))
    const part = { ...target, UploadId, PartNumber: 1, Body: bytes.subarray(0, 1_000) }
    await client.send(new UploadPartCommand(part))
    await server.ageUpload(UploadId, ageMs)
    return UploadId
  }
  const hourMs = 3_600_000

  test('is removed a day later, unless it is of other files', async () => {
    await unfinished('export-1-1.csv', 25 * hourMs)
    await unfinished('export-1-1.csv', 26 * hourMs)
    const recent = await unfinished('export-1-1.csv', 23 * hourMs)
    const other = await unfinished('other-1.csv', 25 * hourMs)
    await store.removeAbandoned('export-')
    expect((await server.openUploads()).toSorted()).toEqual([recent, other].toSorted())
    await store.removeAbandoned('export-')
    await store.removeAbandoned('other-')
    expect(await server.openUploads()).toEqual([recent])
    await server.ageUpload(recent, 25 * hourMs)
    await store.removeAbandoned('export-')
    expect(await server.openUploads()).toEqual([])
  })

  test('is not removed by whoever has not the secret', async () => {
    await unfinished('guarded-1.csv', 25 * hourMs)
    const other = makeS3Store({ ...settings, secretAccessKey: 'wrong' })
    await expect(other.removeAbandoned('guarded-')).rejects.toThrow(/^S3_SECRET_ACCESS_KEY is not/)
    await store.removeAbandoned('guarded-')
  })
})

describe('a server in trouble', () => {
  const busy = (response: ServerResponse): void => {
    response.writeHead(503, { 'content-type': 'application/xml' })
    response.end('<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>')
  }

  test('is asked again when it is busy, or breaks off', async () => {
    let trouble = 0
    server.onRequest = ({ url, socket }, response) => {
      if (!isPart(url, 2) || trouble === 2) return false
      trouble += 1
      if (trouble === 1) busy(response)
      else socket.destroy()
      return true
    }
    await store.put('troubled.csv', path, options)
    const stream = await store.read('troubled.csv')
    expect(stream && (await buffer(stream)).equals(bytes)).toBe(true)
    expect(trouble).toBe(2)
  })

  test('is given up when that goes on, and the parts with it', async () => {
    server.onRequest = ({ url }, response) => {
      if (isPart(url, 3)) busy(response)
      return isPart(url, 3)
    }
    await expect(store.put('given-up.csv', path, options)).rejects.toThrow(
      /^The bucket waybill-exports at http:.*SlowDown/,
    )
    server.onRequest = () => false
    expect(await store.read('given-up.csv')).toBeUndefined()
    expect(await server.openUploads()).toEqual([])
  })

  test('that breaks off in the middle of a file ends the stream with an error, not with half a file', async () => {
    await store.put('cut.csv', path, options)
    server.onRequest = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 100_000), () => response.destroy())
      return true
    }
    const stream = await store.read('cut.csv')
    await expect(stream && buffer(stream)).rejects.toThrow(/aborted/)
  })

  test('does not answer: that is an error of its own, and names the bucket', async () => {
    const gone = makeS3Store({ ...settings, endpoint: 'http://127.0.0.1:1' })
    await expect(gone.read('a.csv')).rejects.toThrow(
      /^The bucket waybill-exports at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    )
  })
})

describe('settings that are wrong', () => {
  test.each([
    [{ bucket: 'no-such-bucket' }, /^S3_BUCKET: there is no bucket no-such-bucket at http/],
    [{ secretAccessKey: 'wrong' }, /^S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID/],
    [{ accessKeyId: 'NOBODY' }, /^S3_ACCESS_KEY_ID: .* does not know this key/],
  ])('%j: every use says which', async (wrong, message) => {
    const other = makeS3Store({ ...settings, ...wrong })
    await expect(other.put('a.csv', path, options)).rejects.toThrow(message)
    await expect(other.read('a.csv')).rejects.toThrow(message)
    await expect(other.remove('a.csv')).rejects.toThrow(message)
  })

  test.each([
    ['AccessDenied', 403, /^S3_ACCESS_KEY_ID: this key must be able to list, read, write and remove/],
    ['AuthorizationHeaderMalformed', 400, /^S3_REGION: .* not in us-east-1/],
    ['PermanentRedirect', 301, /^S3_REGION/],
  ])('%s of the server: so does the error', async (code, status, message) => {
    server.onRequest = (_request, response) => {
      response.writeHead(status).end(`<Error><Code>${code}</Code><Message>Hm.</Message></Error>`)
      return true
    }
    await expect(store.read('a.csv')).rejects.toThrow(message)
  })
})
