/** Document 1, "States and transitions": any may follow any. */
export const projectStatuses = ['active', 'inactive', 'draft'] as const
export type ProjectStatus = (typeof projectStatuses)[number]
