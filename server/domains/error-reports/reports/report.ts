import { contentTypes } from '#events/content-types.ts'
import type { FailureSource, Shown } from '#failures/own-failure.ts'

/** Why a report is resolved. */
export type ResolvedHow = 'patched' | 'retried' | 'mapped' | 'resolved_all' | 'later_success'

/** What a report says, with what was sent and answered. */
export interface ReportContent {
  readonly channelId: number | null
  readonly actionContentType: number
  readonly actionObjectId: number
  readonly targetContentType: number | null
  readonly targetObjectId: string | null
  readonly errorCode: string
  readonly errorDesc: string
  /** Resolved, or never a failure. */
  readonly isOk: boolean
  /** Masked and cut. */
  readonly rawRequest: string | null
  readonly rawResponse: string | null
  /** Of a failure of our own: what knows how to try it again. Null of what others report. */
  readonly source: FailureSource | null
  /** `Links` as JSON text, for the same. */
  readonly links: string | null
}

/** A report that is stored. */
export interface Report extends ReportContent {
  readonly id: number
  /** Null for a log of success. */
  readonly groupId: number | null
  readonly objModifiedDate: Date
  readonly resolvedAt: Date | null
  readonly resolvedBy: number | null
  readonly resolvedHow: ResolvedHow | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** How often somebody had it tried again by this report, and when last. */
  readonly retryCount: number
  readonly lastRetryAt: Date | null
}

/** How the objects of a failure of our own are shown. */
export interface Links {
  readonly action: Shown
  readonly target: Shown | null
}

const names = new Map<number, string>(Object.entries(contentTypes).map(([name, id]) => [id, name]))

/** The id of a kind of object by its name; undefined for one that there is not. */
export const contentTypeId = (name: string): number | undefined =>
  Object.hasOwn(contentTypes, name) ? contentTypes[name as keyof typeof contentTypes] : undefined

/** Where the API shows objects of our own. */
const paths: Readonly<Record<string, string>> = {
  package: 'packages',
  shipment: 'shipments',
  transfer: 'transfers',
  stocklocation: 'stock_locations',
  channel: 'channels',
}

/** An object as reports show it, free-form (document 2): empty when there is none. */
const snapshot = (type: number | null, id: number | string | null, baseUrl: string): Record<string, unknown> => {
  if (type === null || id === null) return {}
  const name = names.get(type) ?? null
  const path = name === null ? undefined : paths[name]
  return {
    type: name,
    id,
    label: `${name ?? `type ${type}`} ${id}`,
    url: path === undefined ? null : `${baseUrl}/api/v1/${path}/${encodeURIComponent(id)}/`,
  }
}

/** The same of a failure of our own, which says itself how its objects are shown. */
const shownSnapshot = (
  type: number | null,
  id: number | string | null,
  { label, path }: Shown,
  baseUrl: string,
): Record<string, unknown> => ({
  type: type === null ? null : (names.get(type) ?? null),
  id,
  label,
  url: path === null ? null : `${baseUrl}${path}`,
})

const snapshotsOf = (report: Report, baseUrl: string) => {
  const { actionContentType, actionObjectId, targetContentType, targetObjectId } = report
  const links = report.links === null ? undefined : (JSON.parse(report.links) as Links)
  const own = links?.target ?? undefined
  return {
    action:
      links === undefined
        ? snapshot(actionContentType, actionObjectId, baseUrl)
        : shownSnapshot(actionContentType, actionObjectId, links.action, baseUrl),
    target:
      own === undefined
        ? snapshot(targetContentType, targetObjectId, baseUrl)
        : shownSnapshot(targetContentType, targetObjectId, own, baseUrl),
  }
}

/** A report as it is answered. @param isRetryable whether whoever asks can have it tried again here. */
export const toWire = (report: Report, baseUrl: string, isRetryable: boolean) => ({
  ...snapshotsOf(report, baseUrl),
  id: report.id,
  action_content_type: report.actionContentType,
  action_object_id: report.actionObjectId,
  target_content_type: report.targetContentType,
  target_object_id: report.targetObjectId,
  obj_modified_date: report.objModifiedDate.toISOString(),
  error_code: report.errorCode,
  error_desc: report.errorDesc,
  is_ok: report.isOk,
  raw_request: report.rawRequest,
  raw_response: report.rawResponse,
  created_date: report.createdAt.toISOString(),
  updated_date: report.updatedAt.toISOString(),
  channel: report.channelId,
  group: report.groupId,
  resolved_date: report.resolvedAt?.toISOString() ?? null,
  resolved_by: report.resolvedBy,
  resolved_how: report.resolvedHow,
  source: report.source,
  is_retryable: isRetryable,
  retry_count: report.retryCount,
  last_retry_date: report.lastRetryAt?.toISOString() ?? null,
})
