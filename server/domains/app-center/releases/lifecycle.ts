import { releaseStatuses, type ReleaseStatus } from '#events/projects.ts'
import { makeLifecycle, type Terms } from '#platform/lifecycle/lifecycle.ts'
import { describeStatuses } from '#platform/lifecycle/lifecycle-text.ts'
import { collectProblems } from '#platform/problems.ts'

export interface ReleaseTerms extends Terms {
  readonly status: ReleaseStatus
  /** The status that it leads to. */
  readonly action: ReleaseStatus
  readonly code: 'is_final'
}

/**
 * The life of a deployment, and of a distribution (contract, section 3). A status that nothing follows is an outcome, and
 * whoever has one stays as it is.
 */
const releaseLifecycle = (what: string) =>
  makeLifecycle<ReleaseTerms>({
    statuses: releaseStatuses,
    conditions: { is_final: { says: `The ${what} is {status} and cannot become {action}: that is final.` } },
    otherwise: 'is_final',
    rules: [
      { action: 'created', from: {} },
      { action: 'succeeded', from: { created: { to: 'succeeded' } } },
      { action: 'failed', from: { created: { to: 'failed' } } },
      { action: 'canceled', from: { created: { to: 'canceled' } } },
    ],
  })
export const releaseLifecycles = {
  deployment: releaseLifecycle('deployment'),
  distribution: releaseLifecycle('distribution'),
}

/** Statuses after each status, for an API description. */
export const describeTransitions = (): string =>
  `Statuses that can follow: ${describeStatuses(releaseLifecycles.deployment)}. The others are final.`

/**
 * @param changes that are real: to report the same outcome again is none.
 * @throws AppError 400 that names the status the record is in: for a move that the table does not have, and for
 * any other change of a record with an outcome.
 */
export const refuseChanges = (
  what: keyof typeof releaseLifecycles,
  status: ReleaseStatus,
  { status: to, ...others }: { readonly status?: ReleaseStatus },
): void => {
  const { allowedActions, blockedActions } = releaseLifecycles[what]
  const problems = collectProblems()
  if (to !== undefined) problems.add('status', blockedActions({ status })[to])
  const isFinal = allowedActions({ status }).length === 0
  for (const name of isFinal ? Object.keys(others) : [])
    problems.add(name, `The ${what} is ${status} and cannot be changed any more.`)
  problems.throwIfAny()
}

/** The error for a status sent with a new release; undefined for `created`, which it has anyway. */
export const newStatusProblem = (what: string, status: ReleaseStatus = 'created'): string | undefined =>
  status === 'created'
    ? undefined
    : `A new ${what} is created. Report its outcome with PATCH once it is there, so that it raises its event.`
