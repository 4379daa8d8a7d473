import type { ReleaseStatus } from '#events/projects.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { realChanges, type Sent } from '#platform/sent-fields.ts'
import type { Member } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { deploymentEvent, type Deployment, type NewDeployment } from './deployment.ts'
import { newStatusProblem, refuseChanges } from './lifecycle.ts'
import { insertDeployment, lockDeployment, updateDeployment, type DeploymentChanges } from './store.ts'

/** The changes a deployment can go through, each with its event in the same transaction. */
export const makeDeploymentChanges = ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) => ({
  /** @throws AppError 400 for a status that something new cannot have. */
  async create(
    tx: Tx,
    member: Member,
    { status, ...fields }: NewDeployment & { status?: ReleaseStatus },
  ): Promise<Deployment> {
    const problem = newStatusProblem('deployment', status)
    if (problem !== undefined) throw invalidField('status', problem)
    const { projectId, principal, organizationId } = member
    const making = { projectId, createdBy: principal.userId, now: clock.now() }
    const deployment = await insertDeployment(tx, making, fields)
    await outbox.append(tx, [deploymentEvent(organizationId, deployment)])
    return deployment
  },

  /**
   * Sets some fields, the outcome among them. Where none really changes, nothing is written and no event raised: of
   * two who report the same outcome at once, the second finds it reported. Of two who report different ones, the
   * second, which waits for the row, is refused.
   * @throws AppError 404; 400 when the deployment has an outcome already.
   */
  async update(tx: Tx, member: Member, id: string, sent: Sent<DeploymentChanges>): Promise<Deployment> {
    const before = orNotFound(await lockDeployment(tx, member.projectId, id))
    const changes = realChanges<DeploymentChanges>(before, sent)
    if (Object.keys(changes).length === 0) return before
    refuseChanges('deployment', before.status, changes)

    const now = clock.now()
    const finished = changes.status === undefined ? {} : { finishedAt: now }
    const after = await updateDeployment(tx, before, { ...changes, ...finished, updatedAt: now })
    if (after.status !== before.status) await outbox.append(tx, [deploymentEvent(member.organizationId, after)])
    return after
  },
})
