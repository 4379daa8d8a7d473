import type { Schema } from '#api/types.ts'

/** What an object of a report is called: its label, else its id. */
export const labelOf = (shown: Readonly<Record<string, unknown>>, id: number | string): string =>
  typeof shown['label'] === 'string' ? shown['label'] : String(id)

/** What a report is about, in short. */
export const aboutOf = (report: Pick<Schema<'ErrorReport'>, 'action' | 'action_object_id'>): string =>
  labelOf(report.action, report.action_object_id)
