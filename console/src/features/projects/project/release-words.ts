import type { Schema } from '#api/types.ts'
import type { Outcome } from '#ui/status.tsx'

export type Deployment = Schema<'Deployment'>
export type Distribution = Schema<'Distribution'>
export type ReleaseStatus = Deployment['status']

export const platforms = ['ios', 'android', 'huawei'] as const satisfies readonly Deployment['platform'][]
export const environments = ['production', 'staging'] as const satisfies readonly Deployment['environment'][]
export const endings = ['succeeded', 'failed', 'canceled'] as const satisfies readonly ReleaseStatus[]

export const outcomes: Record<ReleaseStatus, Outcome> = {
  created: 'wait',
  succeeded: 'ok',
  failed: 'bad',
  canceled: 'idle',
}
