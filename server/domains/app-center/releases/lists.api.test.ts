import { expect, test } from 'vitest'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReleases } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const projects = await makeProjects(testApp)
const { callAs, projectUrl, organizationUrl } = projects
const { deployment, distribution } = makeReleases(testApp, projects)

test('lists of a project have what it has and nothing of another', async () => {
  const own = [await deployment(), await deployment()].map(({ _id }) => _id)
  const sent = await distribution({ deployment: own[0] })
  const other = `${organizationUrl}/projects/${await projects.makeProject()}`
  await deployment({}, other)
  await distribution({}, other)
  const ids = async (kind: string) =>
    (await callAs('viewer', `GET ${projectUrl}/${kind}`)).json<{ _id: string }[]>().map(({ _id }) => _id)
  expect((await ids('deployments')).toSorted()).toEqual(own.toSorted())
  expect(await ids('distributions')).toEqual([sent._id])
})

test('a deployment that nobody distributed, or that does not exist, has an empty list', async () => {
  const answer = await callAs('viewer', `GET ${projectUrl}/distributions?deployment=${'f'.repeat(24)}`)
  expect([answer.statusCode, answer.json(), answer.headers['x-total-count']]).toEqual([200, [], '0'])
})
