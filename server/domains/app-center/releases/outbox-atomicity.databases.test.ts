import { expect, test } from 'vitest'
import { makeOutbox, type Outbox } from '#delivery/outbox/outbox.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { Member } from '../access/index.ts'
import { makeReleaseChanges } from './change-release.ts'
import { deploymentRules, distributionRules } from './release-rules.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const working = makeOutbox({ clock, wake: () => undefined })
/** Writes the events and then fails, as a lost connection would. */
const failing: Outbox = {
  ...working,
  async append(tx, events) {
    await working.append(tx, events)
    throw new Error('append failed')
  },
}

const [organizationId, projectId] = [newObjectId(clock.now()), newObjectId(clock.now())]
const times = { createdAt: clock.now(), updatedAt: clock.now() }
const principal = {
  userId: 1,
  email: 'ayse@example.com',
  isStaff: false,
  isSuperuser: false,
  divisionId: null,
  scopes: null,
}
const member: Member = { principal, organizationId, projectId, role: 'developer' }
await db
  .insertInto('organizations')
  .values({ id: organizationId, name: 'x', description: '', ...times })
  .execute()
await db
  .insertInto('projects')
  .values({
    id: projectId,
    organizationId,
    name: 'x',
    slug: 'x',
    description: '',
    status: 'draft',
    appIconUrl: null,
    sealed: '',
    appStatuses: '{}',
    lastActivityAt: null,
    ...times,
  })
  .execute()

const plan = {
  type: 'build',
  platform: 'android',
  environment: 'production',
  envVersion: null,
  tag: null,
  description: null,
} as const
const asked = { target: 'testers', storeVersion: null, versionCode: null } as const

/** Everything that the changes could have left behind. */
const contents = async () => ({
  deployments: await db.selectFrom('deployments').selectAll().orderBy('id').execute(),
  distributions: await db.selectFrom('distributions').selectAll().orderBy('id').execute(),
  projects: await db.selectFrom('projects').selectAll().execute(),
  events: await db.selectFrom('events').select(['id', 'type']).orderBy('id').execute(),
})

test('when the event cannot be stored, nothing of the change stays', async () => {
  const deployments = makeReleaseChanges({ clock, outbox: working }, deploymentRules)
  const distributions = makeReleaseChanges({ clock, outbox: working }, distributionRules)
  const deployment = await inTransaction(db, (tx) => deployments.create(tx, member, plan))
  const deploymentId = deployment.id
  const distribution = await inTransaction(db, (tx) => distributions.create(tx, member, { ...asked, deploymentId }))
  const before = await contents()
  clock.advance(1_000)

  const brokenDeployments = makeReleaseChanges({ clock, outbox: failing }, deploymentRules)
  const brokenDistributions = makeReleaseChanges({ clock, outbox: failing }, distributionRules)
  const outcome = { status: 'succeeded' } as const
  const changes = [
    inTransaction(db, (tx) => brokenDeployments.create(tx, member, plan)),
    inTransaction(db, (tx) => brokenDeployments.update(tx, member, deploymentId, outcome)),
    inTransaction(db, (tx) => brokenDistributions.create(tx, member, { ...asked, deploymentId })),
    inTransaction(db, (tx) => brokenDistributions.update(tx, member, distribution.id, outcome)),
  ]
  const ends = await Promise.allSettled(changes)
  expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
    changes.map(() => 'Error: append failed'),
  )
  expect(await contents()).toEqual(before)

  await inTransaction(db, (tx) => distributions.update(tx, member, distribution.id, outcome))
  const after = await contents()
  expect(after.events.map(({ type }) => type).slice(before.events.length)).toEqual(['distribution.succeeded'])
  expect(after.projects[0]?.lastActivityAt).toEqual(clock.now())
})
