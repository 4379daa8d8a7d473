import type { Receiver } from '#delivery/redelivery/retry-delivery.ts'
import { isProjectScope } from '#domains/app-center/index.ts'
import { isFlowScope } from '#domains/flows/index.ts'
import type { Access } from '#platform/auth/principal.ts'

/**
 * What it takes to try something again by its error report, besides the right to change reports: what it takes where that is done
 * by itself. So nobody gets by a report what they do not get otherwise.
 */
export const retryAccess = {
  order: { role: 'superuser', scope: 'quotations:write' },
  export: { role: 'staff', scope: 'quotations:read' },
  hook: { role: 'staff', scope: 'hooks:write' },
  // And, but for superusers, a membership with the right to send again.
  project: { role: 'user', scope: 'projects:write' },
  // Keys that are limited are not for flows.
  flow: { role: 'staff' },
} as const satisfies Readonly<Record<string, Exclude<Access, 'public'>>>

/** Whose a delivery is. */
export const kindOf = ({ scope }: Pick<Receiver, 'scope'>): 'hook' | 'project' | 'flow' => {
  if (isFlowScope(scope)) return 'flow'
  return isProjectScope(scope) ? 'project' : 'hook'
}
