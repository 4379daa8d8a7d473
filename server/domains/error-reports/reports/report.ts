import { contentTypeName } from '#events/content-types.ts'
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

/** Where the API shows objects of our own. */
const paths: Readonly<Record<string, string>> = {
  package: 'packages',
  shipment: 'shipments',
  transfer: 'transfers',
  stocklocation: 'stock_locations',
  channel: 'channels',
}

/**
 * An object as reports show it, free-form (document 2): empty when there is none.
 * @param shown how a failure of our own shows it.
 */
const snapshot = (
  { type, id, shown }: { type: number | null; id: number | string | null; shown: Shown | null | undefined },
  baseUrl: string,
): Record<string, unknown> => {
  const name = type === null ? null : (contentTypeName(type) ?? null)
  if (shown) return { type: name, id, label: shown.label, url: shown.path === null ? null : `${baseUrl}${shown.path}` }
  if (type === null || id === null) return {}
  const path = name === null ? undefined : paths[name]
  const url = path === undefined ? null : `${baseUrl}/api/v1/${path}/${encodeURIComponent(id)}/`
  return { type: name, id, label: `${name ?? `type ${type}`} ${id}`, url }
}

const linksOf = ({ links }: Report): Links | undefined => (links === null ? undefined : (JSON.parse(links) as Links))

/** What a report is about. */
export const actionOf = (report: Report, baseUrl: string): Record<string, unknown> =>
  snapshot({ type: report.actionContentType, id: report.actionObjectId, shown: linksOf(report)?.action }, baseUrl)

/** What it was done for. */
export const targetOf = (report: Report, baseUrl: string): Record<string, unknown> =>
  snapshot({ type: report.targetContentType, id: report.targetObjectId, shown: linksOf(report)?.target }, baseUrl)

/** A page of the console about an object. */
interface PageLink {
  readonly content_type: string
  readonly id: string
  readonly path: string
}

/** Whether the API shows objects of this kind that others report, by id. */
const isOurs = (name: string): boolean => Object.hasOwn(paths, name)

/** The console has what the API has at the same path without its prefix, but for what it calls otherwise. */
const pageAt = (path: string): string =>
  path
    .replace(/^\/api\/[^/]+/, '')
    .replace(/^\/[^/]+\/hook_events\//, '/deliveries/')
    .replace(/^\/[^/]+\/hooks\//, '/hooks/')
    .replace(/\/$/, '')

const pageOf = (type: number | null, id: number | string | null, shown: Shown | null | undefined): PageLink | null => {
  const name = type === null ? undefined : contentTypeName(type)
  if (name === undefined || id === null) return null
  const link = (path: string) => ({ content_type: name, id: String(id), path })
  // An order has a page of its own; its API shows it among those of its quotation.
  if (shown && name === 'order') return link(`/orders/${id}`)
  if (shown) return shown.path === null ? null : link(pageAt(shown.path))
  return isOurs(name) ? link(`/${paths[name]}/${encodeURIComponent(id)}`) : null
}

/** Where the console shows what a report is about. */
export const pagesOf = (report: Report): { action: PageLink | null; target: PageLink | null } => {
  const links = linksOf(report)
  return {
    action: pageOf(report.actionContentType, report.actionObjectId, links?.action),
    target: pageOf(report.targetContentType, report.targetObjectId, links?.target),
  }
}
