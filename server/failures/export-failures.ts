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

/** Keeps the error reports of exports: of each one at most is open. Both functions take the lock of all who change reports, so they come first in `tx`. */
export interface ExportFailures {
  report(tx: Tx, failure: ExportFailure): Promise<void>
  resolve(tx: Tx, exportId: number): Promise<void>
}

/** Exports that were given up as error reports. */
export const makeExportFailures = (reports: OwnFailures): ExportFailures => ({
  report: (tx, failure) => reports.report(tx, [ownFailureOf(failure)]),
  resolve: (tx, actionObjectId) => reports.resolve(tx, [{ source: 'export', actionObjectId }]),
})

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
