import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { lockDirectory } from './lock-directory.ts'

const directory = await mkdtemp(join(tmpdir(), 'waybill-lock-'))
afterAll(() => rm(directory, { recursive: true }))

const module = fileURLToPath(new URL('lock-directory.ts', import.meta.url))
const script = `
  const { lockDirectory } = await import(${JSON.stringify(module)})
  await lockDirectory(${JSON.stringify(directory)})
  // Nothing refers to the lock any more; collecting what is not needed must not release it.
  await new Promise((resolve) => setTimeout(resolve, 10))
  gc()
  await new Promise((resolve) => setTimeout(resolve, 10))
  console.log('locked')
  setInterval(() => {}, 1000)`

describe('the lock of the data directory', () => {
  test('another process cannot have it, is told who does, and gets it when that one was killed', async () => {
    const holder = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(holder.stdout, 'data')
    expect((await readFile(join(directory, 'waybill.pid'), 'utf8')).trim()).toBe(String(holder.pid))
    await expect(lockDirectory(directory)).rejects.toThrow(`in use by another process (pid ${holder.pid})`)

    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const release = await lockDirectory(directory)
    expect((await readFile(join(directory, 'waybill.pid'), 'utf8')).trim()).toBe(String(process.pid))
    release()
  })

  test('can be had again after it was given back', async () => {
    const release = await lockDirectory(directory)
    release()
    const again = await lockDirectory(directory)
    expect(again).toBeTypeOf('function')
    again()
  })
})
