import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { maxBytes } from './change-project.ts'
import { recordAppStatus } from './index.ts'

const testApp = await makeTestApp()
const { callAs } = await makeProjects(testApp)

const bundles = (count: number, characters: number) => ({
  ios: {
    production: Array.from({ length: count }, () => ({ bundleIdentifier: 'ş'.repeat(characters) })),
  },
})

test('a project takes a bounded amount of bytes, however it comes to them', async () => {
  const made = await callAs('developer', 'POST /projects', { name: 'Drivers', slug: 'drivers' })
  const url = `/projects/${made.json<{ _id: string }>()._id}`
  const withinEach = { additionalCredentials: bundles(15, 2_000) }
  expect((await callAs('developer', `PATCH ${url}`, withinEach)).statusCode).toBe(200)

  const more = { appStatuses: { ios: { production: { tag: 'v'.repeat(2_048), publisher: 'p'.repeat(2_048) } } } }
  expect((await callAs('developer', `PATCH ${url}`, more)).statusCode).toBe(200)
  const tooMuch = await callAs('developer', `PATCH ${url}`, { additionalCredentials: bundles(16, 2_000) })
  expect(tooMuch.statusCode).toBe(400)
  expect(tooMuch.json()).toEqual({
    validationError: { non_field_errors: [expect.stringContaining(`take at most ${maxBytes} bytes`)] },
  })
  const direct = { name: 'Drivers', slug: 'drivers-2', additionalCredentials: bundles(20, 2_000) }
  expect((await callAs('developer', 'POST /projects', direct)).statusCode).toBe(400)
})

test('one that a distribution brought over the limit can still be changed, but not made larger', async () => {
  const fields = { name: 'Drivers', slug: 'drivers-3', additionalCredentials: bundles(16, 2_000) }
  const made = (await callAs('developer', 'POST /projects', fields)).json<{ _id: string }>()
  const url = `/projects/${made._id}`
  const status = { deploymentId: 'x'.repeat(2_000), status: true }
  const at = { projectId: made._id, platform: 'ios', environment: 'production', status, at: new Date() } as const
  await inTransaction(testApp.database.db, (tx) => recordAppStatus(tx, at))
  expect((await callAs('developer', `PATCH ${url}`, { name: 'Renamed' })).statusCode).toBe(200)
  const more = { storeCredentials: { googlePlay: { packageName: 'com.example.drivers' } } }
  expect((await callAs('developer', `PATCH ${url}`, more)).statusCode).toBe(400)
  expect((await callAs('developer', `PATCH ${url}`, { additionalCredentials: bundles(1, 2_000) })).statusCode).toBe(200)
})
