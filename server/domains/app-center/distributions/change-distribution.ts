import type { ReleaseStatus } from '#events/projects.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { collectProblems } from '#platform/problems.ts'
import { realChanges, type Sent } from '#platform/sent-fields.ts'
import type { Member } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { lockDeployment, newStatusProblem, refuseChanges } from '../deployments/index.ts'
import { recordAppStatus } from '../projects/index.ts'
import { appStatusOf } from './app-status.ts'
import { distributionEvent, type Distribution, type NewDistribution } from './distribution.ts'
import {
  holdProject,
  insertDistribution,
  lockDistribution,
  updateDistribution,
  type DistributionChanges,
} from './store.ts'
import { problemsOfPlan, versionCodeProblem } from './targets.ts'

/** A distribution as it was asked for: what is undefined comes from the deployment, the publisher from the caller. */
export type Asked = Pick<NewDistribution, 'deploymentId' | 'target' | 'storeVersion' | 'versionCode'> &
  Sent<Pick<NewDistribution, 'platform' | 'environment' | 'envVersion' | 'tag' | 'publisher'>> & {
    readonly status?: ReleaseStatus | undefined
  }

/**
 * The changes a distribution can go through, each with its event in the same transaction. Rows are taken in the
 * order project, deployment, distribution, so that no two transactions wait for each other.
 */
export const makeDistributionChanges = ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) => ({
  /** @throws AppError 400 for a deployment that the project has not or that has failed, and for what does not fit it. */
  async create(tx: Tx, member: Member, asked: Asked): Promise<Distribution> {
    const { projectId, principal, organizationId } = member
    await holdProject(tx, projectId, 'shared')
    const fields = await completed(tx, projectId, asked, principal.email)
    const making = { projectId, createdBy: principal.userId, now: clock.now() }
    const distribution = await insertDistribution(tx, making, fields)
    await outbox.append(tx, [distributionEvent(organizationId, distribution)])
    return distribution
  },

  /**
   * Sets some fields, the outcome among them; success also shows in the project. Where none really changes, nothing
   * is written and no event raised: of two who report the same outcome at once, the second finds it reported. Of two
   * who report different ones, the second, which waits for the row, is refused.
   * @throws AppError 404; 400 when the distribution has an outcome already.
   */
  async update(tx: Tx, member: Member, id: string, sent: Sent<DistributionChanges>): Promise<Distribution> {
    const { projectId, organizationId } = member
    if (sent.status === 'succeeded') await holdProject(tx, projectId, 'alone')
    const before = orNotFound(await lockDistribution(tx, projectId, id))
    const changes = realChanges<DistributionChanges>(before, sent)
    if (Object.keys(changes).length === 0) return before
    refuseChanges('distribution', before.status, changes)
    const problem = versionCodeProblem(before.platform, changes.versionCode)
    if (problem !== undefined) throw invalidField('versionCode', problem)

    const now = clock.now()
    const finished = changes.status === undefined ? {} : { finishedAt: now }
    const after = await updateDistribution(tx, before, { ...changes, ...finished, updatedAt: now })
    if (after.status === before.status) return after
    if (after.status === 'succeeded') await showInProject(tx, after, now)
    await outbox.append(tx, [distributionEvent(organizationId, after)])
    return after
  },
})

const completed = async (tx: Tx, projectId: string, asked: Asked, callerEmail: string): Promise<NewDistribution> => {
  const { deploymentId, target, storeVersion, versionCode, status } = asked
  const deployment = await lockDeployment(tx, projectId, deploymentId)
  // Another project's deployment is answered like one that does not exist: nobody learns which ids there are.
  if (deployment === undefined) throw invalidField('deployment', 'The project has no deployment with this id.')
  const { publisher = callerEmail, platform = deployment.platform, environment = deployment.environment } = asked
  const { envVersion = deployment.envVersion, tag = deployment.tag } = asked

  const problems = collectProblems()
  const found = problemsOfPlan({ target, platform, versionCode }, deployment)
  for (const [field, message] of Object.entries(found)) problems.add(field, message)
  problems.add('status', newStatusProblem('distribution', status))
  problems.throwIfAny()
  return { deploymentId, target, platform, environment, envVersion, storeVersion, tag, publisher, versionCode }
}

const showInProject = (tx: Tx, distribution: Distribution, at: Date): Promise<void> => {
  const { projectId, platform, environment } = distribution
  return recordAppStatus(tx, { projectId, platform, environment, status: appStatusOf(distribution), at })
}
