import type { ReleaseStatus } from '#events/projects.ts'
import { invalidField } from '#platform/errors.ts'
import type { ReleaseRules } from './change-release.ts'
import { newStatusProblem } from './lifecycle.ts'
import { deploymentEvent, type NewDeployment } from './release.ts'
import { deploymentStore } from './store.ts'

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
