import { describe, expect, test } from 'vitest'
import { makeVault } from '#platform/crypto/vault.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp, testSecretKey } from '#testing/make-test-app.ts'
import { readProjectRecord, recordAppStatus } from './index.ts'

const testApp = await makeTestApp()
const { db } = testApp.database
const { callAs, makeProject } = await makeProjects(testApp)
const vault = makeVault(testSecretKey)

const at = new Date('2027-01-01T00:00:00.000Z')
type Place = Pick<Parameters<typeof recordAppStatus>[1], 'platform' | 'environment'>
const record = (projectId: string, place: Place, status: Parameters<typeof recordAppStatus>[1]['status'], when = at) =>
  inTransaction(db, (tx) => recordAppStatus(tx, { projectId, ...place, status, at: when }))
const android: Place = { platform: 'android', environment: 'production' }
const ios: Place = { platform: 'ios', environment: 'production' }

describe('an app status that is recorded', () => {
  test('shows in the project, beside those of other platforms and environments', async () => {
    const id = await makeProject()
    await record(id, android, { status: true, tag: 'v1', versionCode: 7 })
    await record(id, { ...android, environment: 'staging' }, { status: true, tag: 'v2' })
    await record(id, ios, { status: true, tag: 'v3' })
    expect(await readProjectRecord(db, vault, id)).toMatchObject({
      appStatuses: {
        android: { production: { status: true, tag: 'v1', versionCode: 7 }, staging: { status: true, tag: 'v2' } },
        ios: { production: { status: true, tag: 'v3' } },
      },
      lastActivityAt: at.toISOString(),
      updatedAt: at.toISOString(),
    })
  })

  test('takes the place of the one before', async () => {
    const id = await makeProject()
    await record(id, android, { status: true, tag: 'v1', storeVersion: '1.0' })
    await record(id, android, { status: true, tag: 'v2' })
    const { appStatuses } = await readProjectRecord(db, vault, id)
    expect(appStatuses).toEqual({ android: { production: { status: true, tag: 'v2' } } })
  })

  test('never turns the last activity back', async () => {
    const id = await makeProject()
    await record(id, android, { status: true }, at)
    await record(id, ios, { status: true }, new Date('2026-12-31T00:00:00.000Z'))
    expect(await readProjectRecord(db, vault, id)).toMatchObject({ lastActivityAt: at.toISOString() })
  })

  test('survives others that are recorded, and changes that are made, at once', async () => {
    const id = await makeProject()
    const places = (['android', 'huawei', 'ios'] as const).flatMap((platform) =>
      (['production', 'staging'] as const).map((environment) => ({ platform, environment })),
    )
    await Promise.all([
      ...places.map((place) => record(id, place, { status: true })),
      callAs('developer', `PATCH /projects/${id}`, {
        name: 'Renamed',
        appStatuses: { ios: { staging: { tag: 'v1' } } },
      }),
      callAs('developer', `PATCH /projects/${id}`, { credential: { ios: { staging: { password: 'hush' } } } }),
    ])
    const found = await readProjectRecord(db, vault, id)
    expect(found).toMatchObject({ name: 'Renamed', credential: { ios: { staging: { password: '********' } } } })
    const both = { production: { status: true }, staging: { status: true } }
    expect(found.appStatuses).toMatchObject({ android: both, huawei: both, ios: both })
  })

  test('is gone when its transaction is', async () => {
    const id = await makeProject()
    const undone = inTransaction(db, async (tx) => {
      await recordAppStatus(tx, { projectId: id, ...ios, status: { status: true }, at })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await readProjectRecord(db, vault, id)).appStatuses).toEqual({})
  })
})

test('a project that has gone cannot be read', async () => {
  await expect(readProjectRecord(db, vault, '0123456789abcdef01234567')).rejects.toMatchObject({ status: 404 })
})
