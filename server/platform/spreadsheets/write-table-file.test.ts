import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { TooManyRows, type TableFile, type Written } from './table-file.ts'
import { writeTableFile } from './write-table-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-tables-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const path = join(directory, 'table')

const write = (some: Partial<TableFile> & Pick<TableFile, 'rows'>, memoryMb?: number): Promise<Written> => {
  const defaults: Omit<TableFile, 'rows'> = {
    format: 'csv',
    columns: [{ name: 'id', type: 'number' }],
    path,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  }
  return writeTableFile({ ...defaults, ...some }, memoryMb)
}

const kilobyte = Buffer.from(`${'x'.repeat(1023)}\n`)

/** Rows without end, and how many bytes were taken of them. */
const endless = (): { rows: AsyncIterable<Buffer>; taken: () => number; isOver: () => boolean } => {
  let taken = 0
  let isOver = false
  async function* rows(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        yield kilobyte
        taken += kilobyte.length
        // What is read of a database lets others run, too.
        if (taken % 2 ** 16 === 0) await sleep(0)
      }
    } finally {
      isOver = true
    }
  }
  return { rows: rows(), taken: () => taken, isOver: () => isOver }
}

async function* numbers(count: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < count; from += 1000) {
    const length = Math.min(1000, count - from)
    yield Buffer.from(Array.from({ length }, (_, index) => `${from + index}\n`).join(''))
  }
}

test('says how many rows and bytes it wrote, in place of what was there', async () => {
  await write({ rows: numbers(5000) })
  const written = await write({ rows: numbers(2) })
  expect(readFileSync(path, 'utf8')).toBe('\uFEFFid\r\n0\r\n1\r\n')
  expect(written).toEqual({ rows: 2, bytes: statSync(path).size })
})

test('a csv of one column has a row for nothing too, not an empty line', async () => {
  async function* rows(): AsyncGenerator<Buffer> {
    for (const part of ['\n', 'a\n\n', 'b', '\n', '\n', '"x\n\ny"', '\n""\n\n']) yield Buffer.from(part)
  }
  const written = await write({ rows: rows(), columns: [{ name: 'name', type: 'text' }] })
  expect(readFileSync(path, 'utf8')).toBe('\uFEFFname\r\n""\r\na\r\n""\r\nb\r\n""\r\n"x\n\ny"\r\n""\r\n""\r\n')
  expect(written.rows).toBe(8)
})

test('tells how far it is while it writes', async () => {
  const { rows } = endless()
  const controller = new AbortController()
  const seen: number[] = []
  const onProgress = (count: number): void => {
    seen.push(count)
    if (seen.length === 3) controller.abort(new Error('enough'))
  }
  await expect(write({ rows, onProgress, signal: controller.signal })).rejects.toThrow('enough')
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen[0]).toBeGreaterThan(0)
})

test('a signal ends it with its reason, and the reading of rows as well', async () => {
  for (const format of ['csv', 'xlsx', 'xls'] as const) {
    const { rows, taken, isOver } = endless()
    const controller = new AbortController()
    const writing = write({ format, rows, signal: controller.signal, columns: [{ name: 'text', type: 'text' }] })
    void vi.waitUntil(() => taken() > 3e6, { timeout: 20_000 }).then(() => controller.abort(new Error('stopped')))
    await expect(writing).rejects.toThrow('stopped')
    expect(isOver()).toBe(true)
  }
})

test('rows that fail make the file fail', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield kilobyte
    throw new Error('the database is gone')
  }
  for (const format of ['csv', 'xlsx', 'xls'] as const)
    await expect(write({ format, rows: failing() })).rejects.toThrow('the database is gone')
})

test('rows that end inside of one make the file fail', async () => {
  async function* half(): AsyncGenerator<Buffer> {
    yield Buffer.from('1\n2')
  }
  for (const format of ['csv', 'xlsx', 'xls'] as const)
    await expect(write({ format, rows: half() })).rejects.toThrow('inside of one')
})

test('a full disk is an error', async () => {
  const { rows, isOver } = endless()
  await expect(write({ rows, path: '/dev/full' })).rejects.toThrow('ENOSPC')
  expect(isOver()).toBe(true)
})

test('more rows than an xls holds are an error', async () => {
  const error: unknown = await write({ format: 'xls', rows: numbers(65_536) }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TooManyRows)
  expect(error).toMatchObject({ format: 'xls', rows: 65_536 })
})

test('a file that needs more memory than it may take is an error', async () => {
  const { rows, isOver } = endless()
  async function* endlessText(): AsyncGenerator<Buffer> {
    yield Buffer.from('"')
    yield* rows
  }
  await expect(write({ format: 'xlsx', rows: endlessText() }, 16)).rejects.toThrow('more memory than the 16 MB')
  expect(isOver()).toBe(true)
})

test('an xls of as many different texts as it holds takes less than 128 MB', async () => {
  const columns = Array.from({ length: 11 }, (_, column) => ({ name: `text${column}`, type: 'text' }) as const)
  async function* rows(): AsyncGenerator<Buffer> {
    for (let row = 0; row < 65_535; row += 1)
      yield Buffer.from(`${columns.map(({ name }) => `${name} of the row ${row} ${'x'.repeat(80)}`).join(',')}\n`)
  }
  const { rows: written, bytes } = await write({ format: 'xls', columns, rows: rows() }, 128)
  expect(written).toBe(65_535)
  expect(bytes).toBeGreaterThan(65_535 * 11 * 100)
})

test('rows are not read ahead of what is written', async () => {
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  // Somebody has it open and reads nothing, so that the thread is stuck in writing.
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const { rows, taken } = endless()
  const writing = write({ rows, path: pipe })
  const megabyte = 2 ** 20
  await vi.waitUntil(() => taken() > 0.9 * megabyte, { timeout: 20_000 })
  // Opening the pipe would wait for ever once nobody reads.
  await vi.waitUntil(() => hasBytes(reader), { timeout: 20_000 })
  await sleep(300)
  expect(taken()).toBeLessThan(1.2 * megabyte)
  closeSync(reader)
  await expect(writing).rejects.toThrow('EPIPE')
})

const hasBytes = (pipe: number): boolean => {
  try {
    return readSync(pipe, Buffer.alloc(1)) > 0
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux')('the thread gives way to all others, and leaves none that does', async () => {
  const low = 10
  // Fields of /proc/…/stat behind the name, which may hold blanks; the 19th of all is the priority ("nice").
  const threadsThatGiveWay = (): number =>
    readdirSync('/proc/self/task').filter((task) => {
      const fields = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]?.split(' ')
      return Number(fields?.[16]) === low
    }).length
  for (const format of ['csv', 'xlsx', 'xls'] as const) {
    const { rows } = endless()
    const controller = new AbortController()
    const columns = [{ name: 'text', type: 'text' }] as const
    const writing = write({ format, rows, columns, signal: controller.signal })
    await vi.waitUntil(() => threadsThatGiveWay() > 0, { timeout: 20_000 })
    expect(threadsThatGiveWay()).toBe(1)
    controller.abort(new Error('seen'))
    await expect(writing).rejects.toThrow('seen')
    await write({ format, rows: numbers(5000) })
    expect(threadsThatGiveWay()).toBe(0)
  }
})
