import type { Db, Tx } from '#platform/db/database.ts'
import type { RetryPrincipal, RetryReports } from '#failures/retry-report.ts'
import { toWire, type Report } from './report.ts'

/** Makes the functions that answer with reports, as whoever asks may see them. */
export const makeShowReports = ({
  retryReports,
  baseUrl,
}: {
  readonly retryReports: Pick<RetryReports, 'outlook'>
  readonly baseUrl: () => string
}) => {
  const many = async (db: Db | Tx, reports: readonly Report[], principal: RetryPrincipal) => {
    const ours = reports.filter(({ source, isOk }) => source !== null && !isOk)
    const outlooks = ours.length === 0 ? [] : await retryReports.outlook(db, ours, principal)
    const retryable = new Set(ours.flatMap(({ id }, index) => (outlooks[index] === 'possible' ? [id] : [])))
    const base = baseUrl()
    return reports.map((report) => toWire(report, base, retryable.has(report.id)))
  }
  return {
    many,
    one: async (db: Db | Tx, report: Report, principal: RetryPrincipal) => {
      const [shown] = await many(db, [report], principal)
      return shown ?? toWire(report, baseUrl(), false)
    },
  }
}
export type ShowReports = ReturnType<typeof makeShowReports>
