import type { ProjectObjects } from './project-shape.ts'

/** Document 1, "States and transitions": any may follow any. */
export const projectStatuses = ['active', 'inactive', 'draft'] as const

/** What a member can set, besides the nested objects. */
export interface ProjectFields {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly status: (typeof projectStatuses)[number]
  readonly appIconUrl: string | null
}

/** A mobile app that is built and distributed, with what signs it. The secrets in it are readable. */
export interface Project extends ProjectFields, ProjectObjects {
  readonly id: string
  readonly organizationId: string
  /** When something of it was distributed last. */
  readonly lastActivityAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
