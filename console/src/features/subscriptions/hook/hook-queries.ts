import { listOf, recordOf } from '#api/queries.ts'

/** What the page of a hook asks. */
export const hookQueries = {
  hook: (id: number) => recordOf('/whisperer/hooks/{id}', { path: { id } }),
  health: (id: number) => recordOf('/whisperer/hooks/{id}/health', { path: { id } }),
  activity: (id: number, hours: number) =>
    recordOf('/whisperer/hooks/{id}/activity', { path: { id }, query: { hours } }),
  history: (id: number) => listOf('/whisperer/hooks/{id}/health/history', { path: { id }, query: { limit: 20 } }),
  secret: (id: number) => recordOf('/whisperer/hooks/{id}/secret', { path: { id } }),
  deliveries: (id: number) => listOf('/whisperer/hook_events', { query: { webhook: id, limit: 8 } }),
}
