import { targets, type Platform, type Target, type ReleaseStatus } from '#events/projects.ts'

/** What each target takes. */
export const platformsOf: Readonly<Record<Target, readonly Platform[]>> = {
  googlePlay: ['android'],
  appleAppStore: ['ios'],
  huaweiAppGallery: ['huawei'],
  testers: ['android', 'huawei', 'ios'],
}

/** Platforms whose versions have a code (document 1, app-status object). */
export const hasVersionCode = (platform: Platform): boolean => platform !== 'ios'

/** What speaks against the version code; undefined when nothing does. */
export const versionCodeProblem = (platform: Platform, versionCode: number | null | undefined): string | undefined =>
  hasVersionCode(platform) || versionCode === null || versionCode === undefined
    ? undefined
    : `Versions for ${platform} have no code: leave this field out.`

/** Statuses of a deployment of which nothing can be distributed any more. */
const isLost = (status: ReleaseStatus): boolean => status === 'failed' || status === 'canceled'

interface Plan {
  readonly target: Target
  readonly platform: Platform
  readonly versionCode: number | null
}
interface Deployed {
  readonly platform: Platform
  readonly status: ReleaseStatus
}

/** What speaks against distributing a deployment so: field → a message, undefined where nothing does. */
export const problemsOfPlan = (
  { target, platform, versionCode }: Plan,
  deployment: Deployed,
): Readonly<Record<'deployment' | 'platform' | 'target' | 'versionCode', string | undefined>> => ({
  deployment: isLost(deployment.status)
    ? `A deployment that is ${deployment.status} cannot be distributed.`
    : undefined,
  platform: platform === deployment.platform ? undefined : `The deployment is for ${deployment.platform}.`,
  target: platformsOf[target].includes(platform)
    ? undefined
    : `What is for ${platform} can go to ${targetsOf(platform).join(' and ')} only.`,
  versionCode: versionCodeProblem(platform, versionCode),
})

const targetsOf = (platform: Platform): readonly Target[] =>
  targets.filter((target) => platformsOf[target].includes(platform))

/** What each target takes, for an API description. */
export const describeTargets = (): string =>
  targets.map((target) => `${target} takes ${platformsOf[target].join(', ')}`).join('; ')
