import type { Schema } from '#api/types.ts'
import type { Outcome } from '#ui/status.tsx'

/** What the status of a delivery means to its reader. */
export const deliveryOutcomes: Readonly<Record<Schema<'HookEvent'>['status'], Outcome>> = {
  delivered: 'ok',
  failed: 'bad',
  pending: 'wait',
  waiting: 'wait',
  held: 'idle',
  cancelled: 'idle',
}
