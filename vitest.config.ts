import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { emptyProjectGuard } from './tools/empty-project-guard.ts'
import { SlowFirst } from './tools/slow-first.ts'

// The PostgreSQL that tests may create databases on. `npm test` finds or starts one and sets this.
process.env['TEST_DATABASE_URL'] ??= 'postgres://postgres@127.0.0.1:5432/postgres'

/** Set by `npm test`, which runs everything: where to leave the counts. */
const reportFile = process.env['TEST_REPORT_FILE']

// Which tests run on which database follows from the names of their files: CONTRIBUTING.md lists them.
const withoutDatabase = '{server,tools,bench,console,guide}/**/!(*.db|*.api|*.databases|*.e2e).test.ts'
const onBothDatabases = 'server/**/*.databases.test.ts'
const onOneDatabase = 'server/**/*.{db,api}.test.ts'
/** Where there is PostgreSQL it is that one, as it needs two thirds of the time. */
const isOneEmbedded = process.env['TEST_WITHOUT_POSTGRES'] !== undefined
const isEverythingWanted = process.env['TEST_EVERYTHING'] !== undefined
export default defineConfig({
  test: {
    globalSetup: ['server/testing/global-setup.ts'],
    // Node.js runs the sources as they are, in tests as in the server; nothing is transformed or mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    pool: 'forks',
    // Much of it waits, for a time to come or a process to start: on two cores two more files fill the gaps.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    // As in server/testing/eventually.ts.
    expect: { poll: { timeout: 15_000, interval: 20 } },
    sequence: { sequencer: SlowFirst },
    reporters:
      reportFile === undefined ? ['default'] : ['default', emptyProjectGuard(), ['json', { outputFile: reportFile }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: [withoutDatabase, onBothDatabases, ...(isOneEmbedded || isEverythingWanted ? [onOneDatabase] : [])],
          env: { TEST_ENGINE: 'pglite' },
          // Each file has a database of its own; loading the server again for each would take as long as its tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [onBothDatabases, onOneDatabase],
          env: { TEST_ENGINE: 'postgres' },
          isolate: false,
        },
      },
      {
        extends: true,
        // Servers that are killed again and again: mostly waiting, so beside everything else.
        test: { name: 'processes', include: ['server/**/*.e2e.test.ts'] },
      },
      {
        extends: true,
        // What a person would do.
        test: { name: 'e2e', include: ['tools/**/*.e2e.test.ts'] },
      },
      {
        extends: true,
        // The console in a real browser, beside one server with the demo company.
        test: {
          name: 'browser',
          include: ['console/e2e/**/*.e2e.test.ts'],
          globalSetup: ['console/e2e/support/demo-server.ts'],
        },
      },
    ],
  },
})
