import type { Logger } from 'pino'
import { Histogram, type Registry } from 'prom-client'
import { makeLoop } from '#platform/loop.ts'
import type { Database, Db } from '#platform/db/database.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { contentTypeOf } from '#platform/spreadsheets/table-file.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'
import { makeAskForExport } from './requested.ts'
import { downloadRoutes } from './download-routes.ts'
import { fileKeyPrefix, type ExportFiles } from './export.ts'
import type { ExportFailures } from '#failures/export-failures.ts'
import { defineExportJob, makeRemoveOld } from './export-job.ts'
import { exportListRoutes } from './list-routes.ts'
import { makeDownloadLinks, type LinkKeys } from './links.ts'
import { exportRoutes } from './routes.ts'
import type { RunDeps } from './run-export.ts'
import { findExport, quotationNumber } from './store.ts'

export type { ExportFiles } from './export.ts'

export interface ExportsDeps extends Pick<SliceDeps, 'db' | 'clock' | 'baseUrl'> {
  readonly copyOut: Database['copyOut']
  readonly log: Logger
  readonly registry: Registry
  readonly jobs: Pick<Jobs, 'define'>
  readonly exportFiles: ExportFiles
  readonly exportFailures: ExportFailures
  /** Where the files are fetched from. */
  readonly store: Pick<ObjectStore, 'read' | 'removeAbandoned'>
  readonly linkKeys: LinkKeys
  readonly expireDue: RunDeps['expireDue']
}

const removeEveryMs = 600_000
const tidyEveryMs = 3_600_000

/** Files made of quotations (document 3, "Export"). */
export const makeExports = (deps: ExportsDeps) => {
  const { db, copyOut, clock, log, jobs, exportFiles: files, exportFailures: failures, store, expireDue } = deps
  const seconds = new Histogram({
    name: 'waybill_export_seconds',
    help: 'Files of exports and how long they took to make, by format.',
    labelNames: ['format'],
    buckets: [0.1, 0.5, 2.5, 10, 60, 600],
    registers: [deps.registry],
  })
  const job = defineExportJob({ database: { db, copyOut }, clock, log, jobs, files, failures, seconds, expireDue })
  const links = makeDownloadLinks({ keys: deps.linkKeys, baseUrl: deps.baseUrl, clock })
  const routeDeps = { db, clock, baseUrl: deps.baseUrl, ask: makeAskForExport({ db, clock, start: job.start }), links }
  const removeOld = makeRemoveOld({ db, clock, files })
  return {
    /** Has these made after all where they failed. @returns what became of each, in their order. */
    retryMany: job.retryMany,
    routes: [
      exportRoutes(routeDeps),
      exportListRoutes(routeDeps),
      downloadRoutes({ clock, links, store, findFile: makeFindFile(db) }),
    ],
    /** For processes that work. */
    workers: [
      makeLoop({ name: 'old-exports', everyMs: removeEveryMs, log, run: removeOld }),
      makeLoop({
        name: 'abandoned-exports',
        everyMs: tidyEveryMs,
        log,
        run: () => store.removeAbandoned(fileKeyPrefix),
      }),
    ],
  }
}

const makeFindFile = (db: Db) => async (id: number) => {
  const found = await findExport(db, id)
  if (found?.status !== 'completed' || found.file === null || found.bytes === null) return undefined
  const { file, bytes, format, quotationId, createdAt, expiresAt } = found
  const number = quotationId === null ? undefined : await quotationNumber(db, quotationId)
  const fileName = `${number ?? `quotations-${createdAt.toISOString().slice(0, 10)}`}.${format}`
  return { file, bytes, fileName, contentType: contentTypeOf[format], expiresAt }
}
