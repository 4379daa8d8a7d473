import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Leaf } from './shape.ts'

/** What a project shows of its newest version for a platform and environment (document 1, app-status object). */
export interface NewAppStatus {
  readonly projectId: string
  readonly platform: 'android' | 'huawei' | 'ios'
  readonly environment: 'production' | 'staging'
  /** All of it: it takes the place of what is there, so that no version shows the tag of another. */
  readonly status: Readonly<
    Partial<
      Record<
        | 'createdAt'
        | 'deploymentId'
        | 'envVersion'
        | 'publishedAt'
        | 'publisher'
        | 'storeVersion'
        | 'tag'
        | 'updatedAt',
        string
      >
    >
  > & { readonly status: boolean; readonly versionCode?: number }
  readonly at: Date
}

/**
 * Puts one app status in its place and says that something of the project was distributed. The statuses of other
 * platforms and environments stay, also those that others write at once: one statement reads and writes the row.
 */
export const recordAppStatus = async (tx: Tx, { projectId, platform, environment, ...rest }: NewAppStatus) => {
  const { versionCode, ...others } = rest.status
  const status: Readonly<Record<string, Leaf>> =
    versionCode === undefined || platform === 'ios' ? others : { ...others, versionCode }
  await sql`
    update projects
    set app_statuses = app_statuses || jsonb_build_object(
          ${platform}::text,
          coalesce(app_statuses -> ${platform}::text, '{}'::jsonb) || jsonb_build_object(${environment}::text, ${JSON.stringify(status)}::jsonb)
        ),
        last_activity_at = greatest(last_activity_at, ${rest.at}),
        updated_at = greatest(updated_at, ${rest.at})
    where id = ${projectId}`.execute(tx)
}
