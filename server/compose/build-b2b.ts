import type { Engine } from '#delivery/engine.ts'
import { makeB2b, type B2bDeps } from '#domains/b2b/index.ts'
import type { OwnFailures } from '#domains/error-reports/index.ts'
import type { Ingredients } from '../ingredients.ts'
import { commerceSettings } from './commerce-settings.ts'
import { makeOrderFailures } from './order-failures.ts'

interface BuildB2bDeps extends Pick<B2bDeps, 'jobs' | 'mailer' | 'installationId' | 'people'> {
  readonly shared: Pick<B2bDeps, 'db' | 'clock' | 'write' | 'baseUrl'>
  readonly ingredients: Pick<Ingredients, 'config' | 'log'>
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
  ownFailures,
}: BuildB2bDeps) =>
  makeB2b({
    ...shared,
    log: ingredients.log,
    jobs,
    mailer,
    outbox: engine.outbox,
    failures: makeOrderFailures(ownFailures),
    send: engine.send,
    installationId,
    people,
    commerce: commerceSettings(ingredients.config),
    batchSize: ingredients.config.B2B_BULK_PROCESSES_BATCH_SIZE,
  })
