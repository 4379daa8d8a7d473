import { collectProblems } from '#platform/problems.ts'

export const statuses = ['created', 'succeeded', 'failed', 'canceled'] as const
export type Status = (typeof statuses)[number]

/**
 * The life of a deployment, and of a distribution (contract, section 3): what may follow each status. A status
 * that nothing follows is an outcome, and whoever has one stays as it is.
 */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  created: ['succeeded', 'failed', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
}

/** Whether the status is an outcome. */
export const isFinal = (status: Status): boolean => transitions[status].length === 0

/** Statuses after each status, for an API description. */
export const describeTransitions = (): string => {
  const moves = statuses.flatMap((from) => (isFinal(from) ? [] : [`${from} → ${transitions[from].join(', ')}`]))
  const finals = statuses.filter(isFinal).join(', ')
  return `Statuses that can follow: ${moves.join('; ')}. ${finals} are final.`
}

/**
 * @param what in a word, for the messages.
 * @param changes that are real: to report the same outcome again is none.
 * @throws AppError 400 that names the status the record is in: for a move that the table does not have, and for
 * any other change of a record with an outcome.
 */
export const refuseChanges = (what: string, from: Status, changes: { readonly status?: Status }): void => {
  const problems = collectProblems()
  const { status: to, ...others } = changes
  if (to !== undefined && !transitions[from].includes(to)) {
    const next = isFinal(from) ? 'that is final' : `it can become ${transitions[from].join(', ')}`
    problems.add('status', `The ${what} is ${from} and cannot become ${to}: ${next}.`)
  }
  if (isFinal(from)) {
    for (const name of Object.keys(others)) problems.add(name, `The ${what} is ${from} and cannot be changed any more.`)
  }
  problems.throwIfAny()
}

/** What to tell somebody who sends the status of something new; undefined when it is the one that it has anyway. */
export const newStatusProblem = (what: string, status: Status = 'created'): string | undefined =>
  status === 'created'
    ? undefined
    : `A new ${what} is created. Report its outcome with PATCH once it is there, so that it raises its event.`
