import type { Distribution } from './distribution.ts'
import { hasVersionCode } from './targets.ts'

/** What a project shows of a distribution that succeeded (document 1, app-status object). What there is none of is left out. */
export const appStatusOf = (distribution: Distribution) => {
  const { deploymentId, envVersion, publisher, storeVersion, tag, versionCode, platform } = distribution
  const { createdAt, updatedAt, finishedAt } = distribution
  return {
    createdAt: createdAt.toISOString(),
    deploymentId,
    ...(envVersion === null ? {} : { envVersion }),
    publishedAt: (finishedAt ?? updatedAt).toISOString(),
    ...(publisher === null ? {} : { publisher }),
    ...(storeVersion === null ? {} : { storeVersion }),
    ...(tag === null ? {} : { tag }),
    updatedAt: updatedAt.toISOString(),
    status: true,
    ...(hasVersionCode(platform) && versionCode !== null ? { versionCode } : {}),
  }
}
