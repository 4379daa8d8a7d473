import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginKeyChange, endKeyChange, generatedSecretKeys, hasGeneratedKey } from './secret-key.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'waybill-key-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const read = (file: string): string => readFileSync(join(directory, file), 'utf8').trim()
const write = (file: string, text: string): void => writeFileSync(join(directory, file), text)

describe('the generated key', () => {
  test('is made once, readable by its owner alone', async () => {
    const nested = join(directory, 'a/b')
    expect(await hasGeneratedKey(nested)).toBe(false)
    const { current, previous } = await generatedSecretKeys(nested)
    expect(current.length).toBeGreaterThanOrEqual(32)
    expect(previous).toEqual([])
    expect(await generatedSecretKeys(nested)).toEqual({ current, previous })
    expect(await hasGeneratedKey(nested)).toBe(true)
    expect(statSync(join(nested, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(nested)).toEqual(['secret.key'])
  })

  test('is not half a key after a start that was killed while writing it', async () => {
    write('secret.key.unfinished', 'half a k')
    const { current } = await generatedSecretKeys(directory)
    expect(current).not.toContain('half')
    expect(readdirSync(directory)).toEqual(['secret.key'])
  })
})

describe('a change of the generated key', () => {
  test('keeps the old one beside the new one until it ends', async () => {
    const { current: old } = await generatedSecretKeys(directory)
    const begun = await beginKeyChange(directory)
    expect(begun).toEqual({ current: read('secret.key'), previous: [old], isNew: true })
    expect(begun.current).not.toBe(old)
    expect(read('secret.key.previous')).toBe(old)
    expect(statSync(join(directory, 'secret.key.previous')).mode & 0o777).toBe(0o600)
    expect(await generatedSecretKeys(directory)).toEqual({ current: begun.current, previous: [old] })

    await endKeyChange(directory)
    expect(readdirSync(directory)).toEqual(['secret.key'])
    expect(await generatedSecretKeys(directory)).toEqual({ current: begun.current, previous: [] })
  })

  test('that was begun goes on with the keys it has', async () => {
    await generatedSecretKeys(directory)
    const { isNew, ...begun } = await beginKeyChange(directory)
    expect(isNew).toBe(true)
    expect(await beginKeyChange(directory)).toEqual({ ...begun, isNew: false })
  })

  test('that was killed before the new key was written had not begun', async () => {
    const { current: old } = await generatedSecretKeys(directory)
    write('secret.key.previous', `${old}\n`)
    write('secret.key.unfinished', 'half a k')
    expect(await generatedSecretKeys(directory)).toEqual({ current: old, previous: [] })
    const begun = await beginKeyChange(directory)
    expect(begun).toMatchObject({ previous: [old], isNew: true })
    expect(begun.current).not.toBe(old)
  })

  test('that has ended may be ended again', async () => {
    await generatedSecretKeys(directory)
    await endKeyChange(directory)
    await expect(endKeyChange(directory)).resolves.toBeUndefined()
    expect(readdirSync(directory)).toEqual(['secret.key'])
  })
})
