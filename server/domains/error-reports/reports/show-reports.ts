import type { RetryPrincipal, RetryReports } from '#failures/retry-report.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Report } from './report.ts'
import { toWire } from './report-shapes.ts'

/** Makes the functions that answer with reports, as the principal may see them. */
export const makeShowReports = (retryReports: RetryReports, baseUrl: () => string) => {
  const many = async (db: Db | Tx, reports: readonly Report[], principal: RetryPrincipal) => {
    const ours = reports.filter(({ source, isOk }) => source !== null && !isOk)
    const outlooks = ours.length === 0 ? [] : await retryReports.outlook(db, ours, principal)
    const retryable = new Set(ours.flatMap(({ id }, index) => (outlooks[index] === 'possible' ? [id] : [])))
    const base = baseUrl()
    return reports.map((report) => toWire(report, { baseUrl: base, isRetryable: retryable.has(report.id) }))
  }
  return {
    many,
    one: async (db: Db | Tx, report: Report, principal: RetryPrincipal) => (await many(db, [report], principal))[0],
  }
}
export type ShowReports = ReturnType<typeof makeShowReports>
