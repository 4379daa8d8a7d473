import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { emptyProjectGuard } from './tools/empty-project-guard.ts'
import { SlowFirst } from './tools/slow-first.ts'

// The PostgreSQL that tests may create databases on. `npm test` finds or starts one and sets this.
process.env['TEST_DATABASE_URL'] ??= 'postgres://postgres@127.0.0.1:5432/postgres'

/** Set by `npm test`, which runs everything: where to leave the counts. */
const reportFile = process.env['TEST_REPORT_FILE']

const rooms = '{server,tools,bench}'
/** What touches the database itself runs on both engines, and so do some tests of the API. */
const onBothEngines = 'server/**/*.db.test.ts'
const ofTheApi = 'server/**/*.api.test.ts'
const ofNoEngine = `${rooms}/**/!(*.api|*.db|*.e2e).test.ts`
/** Tests of the API in which many want the same thing at once: there each engine has an answer of its own. */
const racing = [
  'compose/failures-become-reports',
  'domains/app-center/distributions/outcomes',
  'domains/app-center/organizations/owner-races',
  'domains/app-center/projects/projects',
  'domains/b2b/baskets/baskets',
  'domains/b2b/divisions/divisions',
  'domains/b2b/orders/orders',
  'domains/b2b/quotations/quotations',
  'domains/error-reports/places/places',
  'domains/error-reports/reports/reports',
  'domains/flows/runs/runs-with-engine',
  'domains/identity/sessions',
  'domains/identity/users',
  'domains/order-management/packages/packages',
  'domains/order-management/stock/concurrent-writers',
  'domains/order-management/transfers/transfers',
  'platform/http/perform',
].map((name) => `server/${name}.api.test.ts`)
/** Tests of the database, in domains, in which nothing races: one engine has nothing to say about them that the other has not. */
const plain = [
  'app-center/projects/app-status',
  'b2b/baskets/large-basket',
  'b2b/orders/platform/ledger',
  'b2b/quotations/history/audit',
  'b2b/quotations/actions/large-quotation',
  'b2b/quotations/time/let-time-pass',
  'b2b/quotations/lists/list-page',
  'error-reports/reports/broken-batches',
  'error-reports/reports/own-failures',
  'error-reports/retention/retention',
  'identity/tidy',
  'order-management/events/forget-event-ids',
  'order-management/stock/append-only',
  'order-management/transfers/stock-of-moves',
].map((name) => `server/domains/${name}.db.test.ts`)
/**
 * These and the other tests of the API run on one engine: PostgreSQL where there is one, as it needs two thirds of the time.
 * TEST_EVERYTHING=1 runs all of them on both, as before a release.
 */
const isBrief = process.env['TEST_WITHOUT_POSTGRES'] === undefined && process.env['TEST_EVERYTHING'] === undefined
// Each file has a database of its own; loading the server again for each would take as long as its tests.
const globalSetup = ['server/testing/global-setup.ts']

export default defineConfig({
  test: {
    pool: 'forks',
    // Much of it waits, for a time to come or a process to start: on two cores a third file fills the gaps.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    sequence: { sequencer: SlowFirst },
    reporters:
      reportFile === undefined ? ['default'] : ['default', emptyProjectGuard(), ['json', { outputFile: reportFile }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: [ofNoEngine, onBothEngines, ...(isBrief ? racing : [ofTheApi])],
          exclude: isBrief ? plain : [],
          env: { TEST_ENGINE: 'pglite' },
          isolate: false,
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [onBothEngines, ofTheApi],
          env: { TEST_ENGINE: 'postgres' },
          isolate: false,
          globalSetup,
        },
      },
      {
        extends: true,
        // Servers that are killed again and again: mostly waiting, so beside everything else.
        test: { name: 'processes', include: ['server/**/*.e2e.test.ts'] },
      },
      {
        extends: true,
        // What a person would do; the tour is timed, so these run when nothing else does, the others beside it.
        test: { name: 'e2e', include: ['tools/**/*.e2e.test.ts'], maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
