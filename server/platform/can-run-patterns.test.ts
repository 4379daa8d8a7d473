import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { canRunPatterns } from './can-run-patterns.ts'

test('patterns of many users are tried one after the other, and those that would wait too long are to come again', async () => {
  const tried = await Promise.allSettled(Array.from({ length: 13 }, () => canRunPatterns([/(a)/u])))
  expect(tried.filter(({ status }) => status === 'rejected')).toEqual([
    {
      status: 'rejected',
      reason: expect.objectContaining({ status: 429, message: expect.stringContaining('others') }),
    },
    { status: 'rejected', reason: expect.objectContaining({ status: 429 }) },
  ])
  expect(tried.slice(0, 11)).toEqual(tried.slice(0, 11).map(() => ({ status: 'fulfilled', value: true })))
  expect(await canRunPatterns([/(a)/u])).toBe(true)
})

test('a pattern whose program takes long to make is refused, and one of a few properties of characters is not', async () => {
  expect(await canRunPatterns([new RegExp(String.raw`\p{L}`.repeat(390), 'u')])).toBe(false)
  expect(await canRunPatterns([/^[\p{L}\p{N} -]+$/u])).toBe(true)
})

test('a trial that cannot begin refuses its own patterns alone', async () => {
  const path = process.execPath
  process.execPath = '/\0'
  try {
    await expect(canRunPatterns([/(a)/u])).rejects.toThrow('null bytes')
  } finally {
    process.execPath = path
  }
  expect(await canRunPatterns([/(a)/u])).toBe(true)
})

const listProcesses = async (): Promise<string[]> =>
  (await promisify(execFile)('ps', ['-A', '-o', 'pgid=,args='])).stdout.split('\n')

test('a trial that never comes back ends by itself when the server that began it has been killed', async () => {
  const program = `import { canRunPatterns } from '${new URL('can-run-patterns.ts', import.meta.url).href}'
    void canRunPatterns([new RegExp('(?:|)'.repeat(60) + 'b', 'u')])`
  const server = spawn(process.execPath, ['--input-type=module', '-e', program], { detached: true, stdio: 'ignore' })
  const ofServer = async () => (await listProcesses()).filter((line) => line.trim().startsWith(`${server.pid} `))
  await eventually(async () => expect(await ofServer()).toHaveLength(2))
  server.kill('SIGKILL')
  await once(server, 'exit')
  await eventually(async () => expect(await ofServer()).toEqual([]))
})
