import type { ExportFailure, ExportFailures } from '#domains/b2b/index.ts'
import type { OwnFailure, OwnFailures } from '#domains/error-reports/index.ts'
import { contentTypes } from '#events/content-types.ts'

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
