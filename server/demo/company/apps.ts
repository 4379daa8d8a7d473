import { dayMs, minuteMs } from '#platform/clock.ts'
import type { Call } from '../api.ts'
import type { Chance } from '../history/chance.ts'
import { daysBefore, historyDays, type TravelClock } from '../time.ts'
import { colleagues, member, operator } from '../logins.ts'
import type { People } from './people.ts'

interface Project {
  readonly _id: string
}

export interface AppsContext {
  readonly people: People
  readonly clock: TravelClock
  readonly chance: Chance
  readonly now: Date
}

/** An organization with two apps, and what was built and distributed of them. @returns the paths of the apps. */
export const makeApps = async (context: AppsContext): Promise<readonly string[]> => {
  const { people, clock, now } = context
  clock.travelTo(daysBefore(now, historyDays + 9))
  const body = { name: 'Lodos Mobile', description: 'Apps of the shop and of the warehouse.' }
  const { _id } = await people.boss<Project>('POST /api/v1/organizations', body)
  const organization = `/api/v1/organizations/${_id}`
  const members = [
    [member.email, 'admin'],
    [operator.email, 'viewer'],
    [colleagues.murat.email, 'developer'],
  ] as const
  for (const [email, role] of members) await people.boss(`POST ${organization}/members`, { email, role })
  const make = async (fields: object): Promise<string> => {
    const project = await people.boss<Project>(`POST ${organization}/projects`, fields)
    return `${organization}/projects/${project._id}`
  }
  const shop = await make({
    name: 'Lodos Ev',
    slug: 'lodos-ev',
    description: 'The shop, for customers.',
    status: 'active',
  })
  const depot = await make({
    name: 'Lodos Depo',
    slug: 'lodos-depo',
    description: 'Scanner app of the warehouses.',
    status: 'active',
  })
  await keepCredentials(people.boss, [shop, depot], now)
  await makeReleases(context, [
    { path: shop, platforms: ['ios', 'android', 'huawei'], count: 26, major: 4 },
    { path: depot, platforms: ['android'], count: 9, major: 2 },
  ])
  return [shop, depot]
}

/** What signs the apps. One certificate ends in 12 days, and one has ended. */
const keepCredentials = async (boss: Call, [shop, depot]: readonly [string, string], now: Date): Promise<void> => {
  const inDays = (days: number): string => new Date(now.getTime() + days * dayMs).toISOString()
  const files = 'https://files.lodos.example/signing'
  const ios = (name: string, certificateDays: number, provisioningDays: number) => ({
    certificate: `${files}/${name}.p12`,
    password: 'kept-secret',
    certificateExpiration: inDays(certificateDays),
    provisioningProfile: `${files}/${name}.mobileprovision`,
    provisioningExpiration: inDays(provisioningDays),
  })
  const keystore = {
    keystore: `${files}/upload.keystore`,
    keystorePassword: 'kept-secret',
    keyAlias: 'upload',
    keyPassword: 'kept-secret',
  }
  await boss(`PATCH ${shop}`, {
    credential: {
      ios: { production: ios('lodos-ev', 12, 140), staging: ios('lodos-ev-staging', -6, 80) },
      android: { production: keystore },
    },
    storeCredentials: {
      googlePlay: { packageName: 'example.lodos.ev' },
      appleAppStore: { appIdentifier: 'example.lodos.ev', teamId: 'L0D05TEAM', teamName: 'Lodos Ev A.Ş.' },
    },
  })
  await boss(`PATCH ${depot}`, { credential: { android: { production: keystore, staging: keystore } } })
}

interface Releasing {
  readonly path: string
  readonly platforms: readonly ('ios' | 'android' | 'huawei')[]
  readonly count: number
  readonly major: number
}

/** Builds and code pushes over the month; of those that succeed many are distributed. */
const makeReleases = async (context: AppsContext, apps: readonly Releasing[]): Promise<void> => {
  const { chance, now } = context
  const all = apps.flatMap((app) =>
    Array.from({ length: app.count }, (_, index) => ({
      app,
      index,
      at: daysBefore(now, historyDays * (1 - (index + 0.5) / app.count), chance.whole(9, 17), chance.whole(0, 50)),
    })),
  )
  const past = all.filter(({ at }) => at.getTime() < now.getTime() - dayMs / 8)
  for (const { app, index, at } of past.toSorted((one, other) => one.at.getTime() - other.at.getTime()))
    await release(context, app, { index, at })
}

const release = async (
  context: AppsContext,
  { path, platforms, count, major }: Releasing,
  { index, at }: { readonly index: number; readonly at: Date },
): Promise<void> => {
  const { people, clock, chance } = context
  const version = `${major}.${Math.floor(index / 6)}.${index % 6}`
  const build = {
    type: index % 4 === 3 ? 'codePush' : 'build',
    platform: chance.pick(platforms),
    environment: chance.isOneOf(0.4) ? 'staging' : 'production',
    envVersion: version,
    tag: `v${version}`,
    description: index % 3 === 0 ? 'Weekly release' : 'Fixes',
  }
  clock.travelTo(at)
  const { _id: deployment } = await people.member<Project>(`POST ${path}/deployments`, build)
  // The last of each app is still being built.
  if (index === count - 1) return
  clock.travelTo(new Date(at.getTime() + chance.between(6, 25) * minuteMs))
  const status = chance.isOneOf(0.8) ? 'succeeded' : chance.pick(['failed', 'canceled'], 2)
  await people.member(`PATCH ${path}/deployments/${deployment}`, { status })
  if (status === 'succeeded' && build.type === 'build' && chance.isOneOf(0.8))
    await distribute(context, path, { ...build, deployment, versionCode: 400 + index, at })
}

interface Distributed {
  readonly deployment: string
  readonly platform: 'ios' | 'android' | 'huawei'
  readonly environment: string
  readonly envVersion: string
  readonly versionCode: number
  readonly at: Date
}

const stores = { ios: 'appleAppStore', android: 'googlePlay', huawei: 'huaweiAppGallery' } as const

/** Sends a build to its store, or to testers. */
const distribute = async ({ people, clock, chance }: AppsContext, path: string, build: Distributed): Promise<void> => {
  const { deployment, platform, environment, envVersion: storeVersion, versionCode, at } = build
  const target = environment === 'staging' ? 'testers' : stores[platform]
  const body = { deployment, target, storeVersion, publisher: 'Ayşe Tunç', ...(platform !== 'ios' && { versionCode }) }
  clock.travelTo(new Date(at.getTime() + 30 * minuteMs))
  const { _id } = await people.member<Project>(`POST ${path}/distributions`, body)
  clock.travelTo(new Date(at.getTime() + chance.between(40, 170) * minuteMs))
  await people.member(`PATCH ${path}/distributions/${_id}`, { status: chance.isOneOf(0.88) ? 'succeeded' : 'failed' })
}

/** Who is told of builds. Made last, as all who listen. */
export const makeWebhooks = async (developer: Call, projects: readonly string[], receiver: string): Promise<void> => {
  const [shop = '', depot = ''] = projects
  const builds = [
    'deployment.build.succeeded',
    'deployment.build.failed',
    'deployment.codePush.succeeded',
    'deployment.codePush.failed',
  ]
  const distributions = ['distribution.created', 'distribution.succeeded', 'distribution.failed']
  const make = (project: string, name: string, path: string, fields: object) =>
    developer(`POST ${project}/settings/webhooks`, {
      name,
      url: receiver + path,
      headers: { 'X-Team': 'mobile' },
      ...fields,
    })
  await make(shop, 'Builds to the team chat', '/ok/team-chat', { events: builds })
  await make(shop, 'Release board', '/sometimes/release-board', { events: [...builds, ...distributions] })
  await make(depot, 'Tablets in the halls', '/ok/tablets', { events: distributions })
  await make(depot, 'Old build monitor', '/ok/build-monitor', { events: builds, active: false })
}
