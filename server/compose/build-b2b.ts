import { join } from 'node:path'
import type { Engine } from '#delivery/engine.ts'
import { makeB2b, type B2bDeps } from '#domains/b2b/index.ts'
import type { OwnFailures } from '#failures/own-failure.ts'
import type { Ingredients } from '../ingredients.ts'
import { commerceSettings } from './commerce-settings.ts'
import { makeExportFailures } from '#failures/export-failures.ts'
import { makeExportFiles } from './export-files.ts'
import { makeOrderFailures } from '#failures/order-failures.ts'

interface BuildB2bDeps extends Pick<B2bDeps, 'jobs' | 'mailer' | 'installationId' | 'people' | 'linkKeys'> {
  readonly shared: Pick<B2bDeps, 'db' | 'clock' | 'write' | 'baseUrl'>
  readonly ingredients: Pick<Ingredients, 'config' | 'database' | 'log' | 'store'>
  readonly engine: Pick<Engine, 'outbox' | 'send'>
  /** Keeps the reports of orders that fail. */
  readonly ownFailures: OwnFailures
}

/** Divisions, products, quotations and their orders, connected with the rest. */
export const buildB2b = ({
  shared,
  ingredients,
  engine,
  jobs,
  mailer,
  installationId,
  people,
  linkKeys,
  ownFailures,
}: BuildB2bDeps) =>
  makeB2b({
    ...shared,
    log: ingredients.log,
    jobs,
    mailer,
    outbox: engine.outbox,
    failures: makeOrderFailures(ownFailures),
    copyOut: ingredients.database.copyOut,
    exportFailures: makeExportFailures(ownFailures),
    exportFiles: makeExportFiles(ingredients.store, join(ingredients.config.DATA_DIR, 'unfinished-exports')),
    send: engine.send,
    installationId,
    people,
    store: ingredients.store,
    linkKeys,
    commerce: commerceSettings(ingredients.config),
    batchSize: ingredients.config.B2B_BULK_PROCESSES_BATCH_SIZE,
  })
