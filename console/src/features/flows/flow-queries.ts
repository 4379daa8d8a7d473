import { recordOf } from '#api/queries.ts'
import type { RowOf, Schema } from '#api/types.ts'
import type { ListDefinition } from '#ui/list/use-list.ts'
import type { Outcome } from '#ui/status.tsx'

export type Flow = Schema<'Flow'>
export type Run = RowOf<'/api/nifi/flows/{flowId}/runs'>

export const flowOf = (flowId: number) => recordOf('/api/nifi/flows/{flowId}', { path: { flowId } })
export const healthOf = (flowId: number) => recordOf('/api/nifi/flows/{flowId}/health', { path: { flowId } })
export const secretOf = (flowId: number) => recordOf('/api/nifi/flows/{flowId}/secret', { path: { flowId } })
export const runOf = (flowId: number, runId: number) =>
  recordOf('/api/nifi/flows/{flowId}/runs/{runId}', { path: { flowId, runId } })

const states = ['queued', 'running', 'succeeded', 'failed'] as const satisfies readonly Run['state'][]

export const runOutcomes: Record<Run['state'], Outcome> = {
  queued: 'wait',
  running: 'wait',
  succeeded: 'ok',
  failed: 'bad',
}

export const runsOf = (flowId: number): ListDefinition<'/api/nifi/flows/{flowId}/runs'> => ({
  path: '/api/nifi/flows/{flowId}/runs',
  texts: 'flows',
  parameters: { flowId },
  filters: [
    {
      name: 'state',
      label: 'field.state',
      kind: 'choice',
      choices: states.map((value) => ({ value, label: `run.${value}` })),
    },
    { name: 'uuid', label: 'field.uuid', kind: 'text' },
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
  ],
})
