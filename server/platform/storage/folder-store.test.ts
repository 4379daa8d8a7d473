import { randomBytes } from 'node:crypto'
import { watch } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeTestDirectory } from '#testing/open-test-store.ts'
import { openFolderStore } from './folder-store.ts'

const directory = await makeTestDirectory()
const options = { contentType: 'text/csv', signal: new AbortController().signal }
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

/** A directory on another file system, where this machine has one: in memory. */
const elsewhere = await mkdtemp('/dev/shm/waybill-test-').catch(() => undefined)
if (elsewhere !== undefined) afterAll(() => rm(elsewhere, { recursive: true, force: true }))
const isElsewhere = elsewhere !== undefined && (await stat(elsewhere)).dev !== (await stat(directory)).dev

test('a folder that is not there is made, and is its owner’s alone, as is every file in it', async () => {
  const folder = join(directory, 'new', 'folder')
  const store = await openFolderStore(folder)
  const path = join(directory, 'open-to-all')
  await writeFile(path, 'x')
  await chmod(path, 0o666)
  await store.put('a.csv', path, options)
  expect(await modeOf(folder)).toBe('700')
  expect(await modeOf(join(folder, 'a.csv'))).toBe('600')
  expect(await readdir(folder)).toEqual(['a.csv'])
})

test('a folder that nothing can be written to is an error that names the setting and says why', async () => {
  const file = join(directory, 'a-file')
  await writeFile(file, 'x')
  await expect(openFolderStore(file)).rejects.toThrow(
    /^EXPORT_DIR: files cannot be kept in .*a-file: ENOTDIR: not a directory, .+\.$/,
  )
  await expect(openFolderStore(join(file, 'inside'))).rejects.toThrow(/^EXPORT_DIR: .*ENOTDIR: not a directory/)
})

test.runIf(process.platform === 'linux')(
  'so is one where no folder can be made, or no file, at once',
  async () => {
    for (const where of ['/proc', '/proc/exports', '/proc/deep/exports', '/sys/kernel/exports', '/dev/full'])
      await expect(openFolderStore(where)).rejects.toThrow(
        /^EXPORT_DIR: files cannot be kept in \/\w+.*: E[A-Z]+: .+\.$/,
      )
  },
  5_000,
)

test('that something can be written there is tried, and leaves nothing', async () => {
  const folder = join(directory, 'tried')
  await mkdir(folder)
  const seen: (string | null)[] = []
  const watching = watch(folder, (_event, name) => seen.push(name))
  await openFolderStore(folder)
  await eventually(() => expect(seen.length).toBeGreaterThan(0))
  watching.close()
  expect(await readdir(folder)).toEqual([])
})

test('what a process left behind that died while it copied is removed a day later', async () => {
  const folder = join(directory, 'left-behind')
  await mkdir(folder)
  const old = new Date(Date.now() - 90_000_000)
  for (const name of ['.a.csv.0.part', '.b.csv.0.part', 'c.part']) await writeFile(join(folder, name), 'x')
  for (const name of ['.a.csv.0.part', 'c.part']) await utimes(join(folder, name), old, old)
  const store = await openFolderStore(folder)
  await store.removeAbandoned('other-')
  expect(await readdir(folder)).toHaveLength(3)
  await store.removeAbandoned('a.')
  expect((await readdir(folder)).toSorted()).toEqual(['.b.csv.0.part', 'c.part'])
})

test.runIf(isElsewhere)('a file of another file system is copied, whole or not at all', async () => {
  const folder = join(directory, 'copied')
  const store = await openFolderStore(folder)
  const path = join(elsewhere ?? '', 'large')
  const bytes = randomBytes(40_000_000)
  await writeFile(path, bytes, { mode: 0o666 })

  const abort = new AbortController()
  const stopped = store.put('a.csv', path, { ...options, signal: abort.signal })
  // Once it is being written.
  while ((await readdir(folder)).length === 0) await new Promise(setImmediate)
  abort.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow(/abort|enough/)
  expect(await readdir(folder)).toEqual([])

  await store.put('a.csv', path, options)
  const stream = await store.read('a.csv')
  expect(stream && (await buffer(stream)).equals(bytes)).toBe(true)
  expect(await readdir(folder)).toEqual(['a.csv'])
  expect(await modeOf(join(folder, 'a.csv'))).toBe('600')
})
