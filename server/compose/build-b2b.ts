import { join } from 'node:path'
import type { Engine } from '#delivery/engine.ts'
import { makeB2b, type B2bDeps, type Commerce } from '#domains/b2b/index.ts'
import type { OwnFailures } from '#failures/own-failure.ts'
import type { Config } from '#platform/config.ts'
import type { ServerContext } from '../server-context.ts'
import { makeExportFailures } from '#failures/export-failures.ts'
import { makeExportFiles } from './export-files.ts'
import { makeOrderFailures } from '#failures/order-failures.ts'

interface BuildB2bDeps extends Pick<
  B2bDeps,
  'registry' | 'jobs' | 'mailer' | 'pages' | 'installationId' | 'people' | 'linkKeys' | 'packagesOf'
> {
  readonly shared: Pick<B2bDeps, 'db' | 'clock' | 'write' | 'baseUrl'>
  readonly context: Pick<ServerContext, 'config' | 'database' | 'log' | 'store'>
  readonly engine: Pick<Engine, 'outbox' | 'send'>
  /** Keeps the reports of orders that fail. */
  readonly ownFailures: OwnFailures
}

/** Divisions, products, quotations and their orders, connected with the rest. */
export const buildB2b = ({ shared, context, engine, ownFailures, ...others }: BuildB2bDeps) =>
  makeB2b({
    ...shared,
    ...others,
    log: context.log,
    outbox: engine.outbox,
    failures: makeOrderFailures(ownFailures),
    copyOut: context.database.copyOut,
    exportFailures: makeExportFailures(ownFailures),
    exportFiles: makeExportFiles(context.store, join(context.config.DATA_DIR, 'unfinished-exports')),
    send: engine.send,
    store: context.store,
    commerce: commerceSettings(context.config),
    batchSize: context.config.B2B_BULK_PROCESSES_BATCH_SIZE,
  })

/** Where orders go by the configuration, which has checked that what belongs together is there. */
export const commerceSettings = ({ COMMERCE_CONNECTOR, COMMERCE_URL, COMMERCE_SECRET }: Config): Commerce =>
  COMMERCE_CONNECTOR === 'http' && COMMERCE_URL !== undefined && COMMERCE_SECRET !== undefined
    ? { connector: 'http', url: COMMERCE_URL, secret: COMMERCE_SECRET }
    : { connector: 'ledger' }
