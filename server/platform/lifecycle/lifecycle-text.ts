import type { Lifecycle, Part, Situation, Terms } from './lifecycle.ts'

/** The moves of an action in one line, for an API description. */
export const describeAction = <T extends Terms>(
  { rules, statuses }: Lifecycle<T>,
  action: T['action'],
  surface?: T['surface'],
): string => {
  const moves = rules
    .filter((rule) => rule.action === action && (surface === undefined || rule.surface === surface))
    .flatMap(({ from }) =>
      statuses.flatMap((status: T['status']) => ('refused' in from[status] ? [] : [`${status} → ${from[status].to}`])),
    )
  return `Possible moves: ${moves.join(', ')}. Any other is refused with 400 and the \`allowed_actions\`.`
}

/** The statuses that can follow each status for a part, where an action is the status that it leads to. */
export const describeStatuses = <T extends Terms>(lifecycle: Lifecycle<T>, part?: Part<T>): string =>
  lifecycle.statuses
    .flatMap((status: T['status']) => {
      const next = lifecycle.allowedActions({ status } as Situation<T>, part)
      return next.length === 0 ? [] : [`${status} → ${next.join(', ')}`]
    })
    .join('; ')
