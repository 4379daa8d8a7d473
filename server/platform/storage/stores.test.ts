import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeTestDirectory } from '#testing/open-test-store.ts'
import { startS3Server } from '#testing/network/s3-server.ts'
import { openFolderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { makeS3Store } from './s3-store.ts'

// What holds of every store, whatever it is made of: the folder, and a bucket of a server that speaks as S3 does, over HTTP.

const source = await makeTestDirectory()
const server = await startS3Server()
const stores: Readonly<Record<string, ObjectStore>> = {
  'a folder': await openFolderStore(await makeTestDirectory()),
  'a bucket': makeS3Store(server.settings),
}
const MiB = 1_048_576
const never = new AbortController().signal

/** A file to be stored, which may be moved away. */
const makeFile = async (bytes: Buffer): Promise<string> => {
  const path = join(source, randomUUID())
  await writeFile(path, bytes)
  return path
}
const options = { contentType: 'text/csv; charset=utf-8', signal: never }
const put = async (store: ObjectStore, key: string, bytes: Buffer, signal = never): Promise<void> =>
  store.put(key, await makeFile(bytes), { ...options, signal })
const bytesOf = async (stream: Readable | undefined): Promise<Buffer | undefined> => stream && buffer(stream)
/** Compared so: a difference in megabytes is nothing to print. */
const areSame = (one: Buffer | undefined, other: Buffer): boolean => one !== undefined && one.equals(other)

describe.each(Object.entries(stores))('%s', (_name, store) => {
  test.each([0, 1, 1_000, 8 * MiB, 8 * MiB + 1, 17 * MiB + 13])('gives back a file of %i bytes', async (size) => {
    const bytes = randomBytes(size)
    await put(store, `file-${size}.csv`, bytes)
    expect(areSame(await bytesOf(await store.read(`file-${size}.csv`)), bytes)).toBe(true)
  })

  test('has no file under a key that nobody put one under', async () => {
    expect(await store.read('nobody.csv')).toBeUndefined()
  })

  test('has the last file that was put under a key', async () => {
    await put(store, 'again.csv', randomBytes(MiB))
    await put(store, 'again.csv', Buffer.from('short'))
    expect(await bytesOf(await store.read('again.csv'))).toEqual(Buffer.from('short'))
    const longer = randomBytes(9 * MiB)
    await put(store, 'again.csv', longer)
    expect(areSame(await bytesOf(await store.read('again.csv')), longer)).toBe(true)
  })

  test('of several files that are put under one key at once, has one, whole', async () => {
    const files = Array.from({ length: 2 }, () => randomBytes(9 * MiB))
    await Promise.all(files.map((bytes) => put(store, 'raced.csv', bytes)))
    const kept = await bytesOf(await store.read('raced.csv'))
    expect(files.filter((bytes) => areSame(kept, bytes))).toHaveLength(1)
  })

  test('removes a file, and again', async () => {
    await put(store, 'removed.csv', Buffer.from('x'))
    await store.remove('removed.csv')
    expect(await store.read('removed.csv')).toBeUndefined()
    await store.remove('removed.csv')
    await store.remove('never-there.csv')
  })

  test('puts nothing when it is told to stop before it begins', async () => {
    const path = await makeFile(Buffer.from('x'))
    const stopped = store.put('stopped.csv', path, { ...options, signal: AbortSignal.abort(new Error('enough')) })
    await expect(stopped).rejects.toThrow('enough')
    expect(await store.read('stopped.csv')).toBeUndefined()
    expect(existsSync(path)).toBe(true)
  })

  test('says so when there is no file to put, and keeps the one it has', async () => {
    await put(store, 'kept.csv', Buffer.from('kept'))
    await expect(store.put('kept.csv', join(source, 'no-such-file'), options)).rejects.toThrow('ENOENT')
    expect(await bytesOf(await store.read('kept.csv'))).toEqual(Buffer.from('kept'))
  })

  test('lets go of a file whose reader goes away', async () => {
    await put(store, 'left.csv', randomBytes(9 * MiB))
    const stream = await store.read('left.csv')
    for await (const chunk of stream ?? []) {
      expect((chunk as Buffer).length).toBeGreaterThan(0)
      break
    }
    await eventually(() => expect(stream?.destroyed).toBe(true))
  })

  test.each([
    '',
    '.',
    '..',
    '../secret.key',
    '/etc/passwd',
    'a/b',
    String.raw`a\b`,
    '.hidden',
    'a\0b',
    'a b',
    'é',
    'a'.repeat(201),
  ])('takes no key that could be another file: %j', async (key) => {
    const path = await makeFile(Buffer.from('x'))
    const refused = /cannot be the key of a file/
    await expect(async () => store.put(key, path, options)).rejects.toThrow(refused)
    await expect(async () => store.read(key)).rejects.toThrow(refused)
    await expect(async () => store.remove(key)).rejects.toThrow(refused)
    expect((await stat(path)).size).toBe(1)
  })
})
