import type { ReleaseStatus } from '#events/projects.ts'
import { invalidField } from '#platform/errors.ts'
import { collectProblems } from '#platform/problems.ts'
import type { Sent } from '#platform/sent-fields.ts'
import { recordAppStatus } from '../projects/index.ts'
import type { ReleaseRules } from './change-release.ts'
import { newStatusProblem } from './lifecycle.ts'
import {
  deploymentEvent,
  distributionEvent,
  type Distribution,
  type NewDeployment,
  type NewDistribution,
} from './release.ts'
import { deploymentStore, distributionStore, holdProject } from './store.ts'
import { hasVersionCode, problemsOfPlan, versionCodeProblem } from './targets.ts'

export const deploymentRules: ReleaseRules<NewDeployment, NewDeployment & { readonly status?: ReleaseStatus }> = {
  what: 'deployment',
  store: deploymentStore,
  event: deploymentEvent,
  async complete(_tx, _member, { status, ...fields }) {
    const problem = newStatusProblem('deployment', status)
    if (problem !== undefined) throw invalidField('status', problem)
    return fields
  },
}

/** A distribution as it was asked for: what is undefined comes from the deployment, the publisher from the caller. */
export type AskedDistribution = Pick<NewDistribution, 'deploymentId' | 'target' | 'storeVersion' | 'versionCode'> &
  Sent<Pick<NewDistribution, 'platform' | 'environment' | 'envVersion' | 'tag' | 'publisher'>> & {
    readonly status?: ReleaseStatus | undefined
  }

export const distributionRules: ReleaseRules<NewDistribution, AskedDistribution> = {
  what: 'distribution',
  store: distributionStore,
  event: distributionEvent,

  /** @throws AppError 400 for a deployment that the project has not or that has failed, and for what does not fit it. */
  async complete(tx, { projectId, principal }, asked) {
    await holdProject(tx, projectId, 'shared')
    const { deploymentId, target, storeVersion, versionCode, status } = asked
    const deployment = await deploymentStore.lock(tx, projectId, deploymentId)
    // Another project's deployment is answered like one that does not exist: nobody learns which ids there are.
    if (deployment === undefined) throw invalidField('deployment', 'The project has no deployment with this id.')
    const { publisher = principal.email, platform = deployment.platform, environment = deployment.environment } = asked
    const { envVersion = deployment.envVersion, tag = deployment.tag } = asked

    const problems = collectProblems()
    const found = problemsOfPlan({ target, platform, versionCode }, deployment)
    for (const [field, message] of Object.entries(found)) problems.add(field, message)
    problems.add('status', newStatusProblem('distribution', status))
    problems.throwIfAny()
    return { deploymentId, target, platform, environment, envVersion, storeVersion, tag, publisher, versionCode }
  },

  hold: async (tx, projectId, { status }) => status === 'succeeded' && holdProject(tx, projectId, 'alone'),

  check({ platform }, { versionCode }) {
    const problem = versionCodeProblem(platform, versionCode)
    if (problem !== undefined) throw invalidField('versionCode', problem)
  },

  succeeded: (tx, distribution, at) => {
    const { projectId, platform, environment } = distribution
    return recordAppStatus(tx, { projectId, platform, environment, status: appStatusOf(distribution), at })
  },
}

/** What a project shows of a distribution that succeeded (document 1, app-status object). What there is none of is left out. */
const appStatusOf = (distribution: Distribution) => {
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
