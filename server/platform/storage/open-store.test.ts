import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { makeKeptLog } from '#testing/kept-log.ts'
import { makeTestDirectory } from '#testing/open-test-store.ts'
import { startS3Server } from '#testing/network/s3-server.ts'
import { readConfig } from '../config.ts'
import type { ObjectStore } from './object-store.ts'
import { openStore } from './open-store.ts'

const directory = await makeTestDirectory()
const server = await startS3Server()
const { settings } = server
const ofServer = {
  S3_BUCKET: settings.bucket,
  S3_ENDPOINT: settings.endpoint,
  S3_ACCESS_KEY_ID: settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
}
const kept = makeKeptLog()
const open = async (environment: Readonly<Record<string, string>>): Promise<ObjectStore> =>
  openStore(readConfig(environment), kept.log)
const putAndRead = async (store: ObjectStore): Promise<string | undefined> => {
  const path = join(directory, 'made')
  await writeFile(path, 'a,b')
  await store.put('a.csv', path, { contentType: 'text/csv', signal: new AbortController().signal })
  const stream = await store.read('a.csv')
  return stream && text(stream)
}

test('without settings files are in exports in the data directory', async () => {
  expect(await putAndRead(await open({ DATA_DIR: directory }))).toBe('a,b')
  expect(existsSync(join(directory, 'exports', 'a.csv'))).toBe(true)
})

test('EXPORT_DIR names another folder', async () => {
  const folder = join(directory, 'else', 'where')
  expect(await putAndRead(await open({ DATA_DIR: directory, EXPORT_DIR: folder }))).toBe('a,b')
  expect(existsSync(join(folder, 'a.csv'))).toBe(true)
})

test('with a bucket no folder is made', async () => {
  const unused = join(directory, 'unused')
  const store = await open({ ...ofServer, S3_ENDPOINT: `${settings.endpoint}/`, DATA_DIR: unused })
  expect(await putAndRead(store)).toBe('a,b')
  expect(existsSync(unused)).toBe(false)
  expect(server.requests.join('\n')).toContain('PUT /waybill-exports/a.csv')
})

test('a bucket and a folder are refused: which of them is meant?', async () => {
  const folder = join(directory, 'also')
  await expect(open({ ...ofServer, EXPORT_DIR: folder })).rejects.toThrow(
    /^EXPORT_DIR and S3_BUCKET are both set: files of exports are kept in one place\./,
  )
  expect(existsSync(folder)).toBe(false)
})

test.each([
  [{ S3_BUCKET: 'no-such-bucket' }, /^S3_BUCKET: there is no bucket no-such-bucket/],
  [{ S3_SECRET_ACCESS_KEY: 'hush' }, /^S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID(?!.*hush)/],
  [{ S3_ACCESS_KEY_ID: 'NOBODY', S3_SECRET_ACCESS_KEY: 'hush' }, /^S3_ACCESS_KEY_ID: (?!.*hush)/],
])('%j stops the start', async (wrong, message) => {
  await expect(open({ ...ofServer, ...wrong })).rejects.toThrow(message)
})

test('a bucket that does not answer is a warning: everything else works without it', async () => {
  await open({ ...ofServer, S3_ENDPOINT: 'http://127.0.0.1:1', S3_SECRET_ACCESS_KEY: 'hush' })
  expect(kept.linesOf('storage.unreachable')).toHaveLength(1)
  expect(kept.text()).not.toContain('hush')
})
