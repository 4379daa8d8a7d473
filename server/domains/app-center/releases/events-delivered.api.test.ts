import { expect, test } from 'vitest'
import { projectEventTypes } from '#events/catalogue.ts'
import { systemClock } from '#platform/clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReleases } from '#testing/data/make-releases.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { scopeOf } from '../dependencies.ts'

const testApp = await makeTestApp()
const { db } = testApp.database
const projects = await makeProjects(testApp)
const { callAs, projectId, projectUrl, organizationUrl } = projects
const { deployment, distribution } = makeReleases(testApp, projects)
const { subscribe } = makeDeliveries({ db, clock: systemClock })

const outcomes = ['succeeded', 'failed', 'canceled']

test('every event goes to the subscriptions of its project that listen to it, and to nobody else', async () => {
  const otherId = await projects.makeProject()
  const [all, builds, other, backOffice] = [
    await subscribe({ scope: scopeOf(projectId), eventTypes: projectEventTypes }),
    await subscribe({ scope: scopeOf(projectId), eventTypes: ['deployment.build.failed'] }),
    await subscribe({ scope: scopeOf(otherId), eventTypes: projectEventTypes }),
    await subscribe({ scope: 'back-office', eventTypes: projectEventTypes }),
  ]
  const sent = async (id: number) => {
    const rows = await db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.eventId')
      .select(['events.type', 'events.scope'])
      .where('deliveries.subscriptionId', '=', id)
      .orderBy('deliveries.id')
      .execute()
    expect(rows.every(({ scope }) => scope === scopeOf(projectId))).toBe(true)
    return rows.map(({ type }) => type)
  }

  for (const status of outcomes) {
    const ofProject = [
      ['deployments', (await deployment())._id],
      ['deployments', (await deployment({ type: 'codePush' }))._id],
      ['distributions', (await distribution({ deployment: (await deployment())._id }))._id],
    ]
    for (const [kind, id] of ofProject) await callAs('developer', `PATCH ${projectUrl}/${kind}/${id}`, { status })
  }

  const got = await sent(all)
  expect([...new Set(got)].toSorted()).toEqual(projectEventTypes.toSorted())
  expect(got.filter((type) => !type.endsWith('.created'))).toHaveLength(9)
  expect(await sent(builds)).toEqual(['deployment.build.failed'])
  expect([await sent(other), await sent(backOffice)]).toEqual([[], []])

  await deployment({}, `${organizationUrl}/projects/${otherId}`)
  const toOther = await db.selectFrom('deliveries').select('id').where('subscriptionId', '=', other).execute()
  expect(toOther).toHaveLength(1)
  expect(await sent(all)).toEqual(got)
})
