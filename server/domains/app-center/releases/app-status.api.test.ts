import { expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReleases, type DistributionBody } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const projects = await makeProjects(testApp)
const { callAs, projectUrl, people } = projects
const { deployment, distribution } = makeReleases(testApp, projects)

const report = (id: string, body: object) => callAs('developer', `PATCH ${projectUrl}/distributions/${id}`, body)
const succeed = async (id: string) => {
  const answer = await report(id, { status: 'succeeded' })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const project = async () => (await callAs('viewer', `GET ${projectUrl}`)).json()

test('success shows in the project, for the platform and environment, and nowhere else', async () => {
  const of = await deployment({ platform: 'android', environment: 'staging', envVersion: '1.4.0', tag: 'v1' })
  const { _id, createdAt } = await distribution({ deployment: of._id, target: 'googlePlay', versionCode: 140 })
  const before = await project()
  clock.advance(60_000)
  await report(_id, { status: 'succeeded', storeVersion: '1.4.1' })
  const now = clock.now().toISOString()
  const staging = {
    createdAt,
    deploymentId: of._id,
    envVersion: '1.4.0',
    publishedAt: now,
    publisher: people.developer.email,
    storeVersion: '1.4.1',
    tag: 'v1',
    updatedAt: now,
    status: true,
    versionCode: 140,
  }
  const after = await project()
  expect(after.appStatuses).toEqual({ ...before.appStatuses, android: { staging } })
  expect(after.lastActivityAt).toBe(now)
})

test('the next success takes the place of the one before, and what it has none of is gone', async () => {
  const first = await distribution({ tag: 'old', versionCode: 1, storeVersion: '1' })
  await succeed(first._id)
  const next = await distribution({ tag: null, versionCode: null, publisher: null })
  const { finishedAt } = await succeed(next._id)
  expect((await project()).appStatuses.android.production).toEqual({
    createdAt: next.createdAt,
    deploymentId: next.deployment,
    publishedAt: finishedAt,
    updatedAt: finishedAt,
    status: true,
  })
})

test('neither a failure, nor a cancellation, nor a deployment shows in the project', async () => {
  const before = await project()
  const [failed, canceled] = [await distribution({ tag: 'x' }), await distribution({ tag: 'x' })]
  clock.advance(60_000)
  await report(failed._id, { status: 'failed' })
  await report(canceled._id, { status: 'canceled' })
  await callAs('developer', `PATCH ${projectUrl}/deployments/${failed.deployment}`, { status: 'succeeded' })
  expect(await project()).toEqual(before)
})

test('success that is reported again does not move the project', async () => {
  const { _id } = await distribution()
  await succeed(_id)
  const before = await project()
  clock.advance(60_000)
  await succeed(_id)
  expect(await project()).toEqual(before)
})

test('a success and a change of the project at once are both kept', async () => {
  for (let round = 0; round < 10; round++) {
    const { _id } = await distribution({ tag: `round ${round}` })
    const change = { description: `Round ${round}`, appStatuses: { huawei: { staging: { tag: `round ${round}` } } } }
    const [changed, reported] = await Promise.all([
      callAs('developer', `PATCH ${projectUrl}`, change),
      report(_id, { status: 'succeeded' }),
    ])
    expect([changed.statusCode, reported.statusCode]).toEqual([200, 200])
    expect(await project()).toMatchObject({
      description: `Round ${round}`,
      appStatuses: {
        android: { production: { tag: `round ${round}` } },
        huawei: { staging: { tag: `round ${round}` } },
      },
    })
  }
})

test('successes on all platforms and environments at once are all kept, beside new deployments', async () => {
  const made: DistributionBody[] = []
  for (const platform of ['android', 'huawei', 'ios']) {
    for (const environment of ['production', 'staging']) {
      const of = await deployment({ platform, environment })
      made.push(await distribution({ deployment: of._id, tag: `${platform} ${environment} at once` }))
    }
  }
  await Promise.all(
    made.flatMap(({ _id }) => [succeed(_id), deployment(), distribution({ deployment: made[0]?.deployment })]),
  )
  const { appStatuses } = await project()
  expect(made.map(({ platform, environment }) => appStatuses[platform][environment].tag)).toEqual(
    made.map(({ tag }) => tag),
  )
})
