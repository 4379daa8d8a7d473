import { expect, test } from 'vitest'
import { realChanges } from './sent-fields.ts'

test('what is sent back as it was is no change, and null is a value', () => {
  interface Stored {
    status: string
    tag: string | null
    envVersion: string | null
    versionCode: number | null
  }
  const record: Stored = { status: 'created', tag: 'a', envVersion: null, versionCode: 0 }
  expect(realChanges(record, { status: 'created', tag: 'a', envVersion: null, versionCode: 0 })).toEqual({})
  expect(realChanges(record, { tag: null, envVersion: undefined, versionCode: null })).toEqual({
    tag: null,
    versionCode: null,
  })
})
