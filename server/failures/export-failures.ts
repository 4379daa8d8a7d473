import { contentTypes } from '#events/content-types.ts'
import type { Tx } from '#platform/db/database.ts'
import type { OwnFailure, OwnFailures } from './own-failure.ts'

/** An export that was given up. */
export interface ExportFailure extends Pick<OwnFailure, 'at' | 'errorDesc'> {
  readonly exportId: number
  /** What was exported, as people know it. */
  readonly label: string
  /** null: of all quotations. */
  readonly quotationId: number | null
  /** What was asked for, as JSON. */
  readonly request: string
}

/** Exports that were given up as error reports. Both functions take the lock of all who change reports, so they come first in `tx`. */
export const makeExportFailures = (reports: OwnFailures) => ({
  report: (tx: Tx, failure: ExportFailure): Promise<void> => reports.report(tx, [ownFailureOf(failure)]),
  resolve: (tx: Tx, actionObjectId: number): Promise<void> =>
    reports.resolve(tx, [{ source: 'export', actionObjectId }]),
})
export type ExportFailures = ReturnType<typeof makeExportFailures>

const ownFailureOf = ({ exportId, label, quotationId, at, errorDesc, request }: ExportFailure): OwnFailure => ({
  source: 'export',
  actionObjectId: exportId,
  actionContentType: contentTypes.export,
  action: { label, path: null },
  ...(quotationId === null
    ? { targetContentType: null, targetObjectId: null, target: null }
    : {
        targetContentType: contentTypes.quotation,
        targetObjectId: String(quotationId),
        target: { label: `Quotation ${quotationId}`, path: `/api/v1/quotations/${quotationId}/` },
      }),
  at,
  errorCode: 'export_failed',
  errorDesc,
  rawRequest: request,
  rawResponse: null,
})
