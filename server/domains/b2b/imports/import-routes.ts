import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses, Nullable } from '#platform/http/schemas.ts'
import { acceptTables } from '#platform/http/table-body.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { toResult, type Outcome } from './import-result.ts'
import { undone } from './dry-run.ts'
import { readCsv } from './read-csv.ts'
import { maxRows, type Columns, type CsvTable } from './table.ts'

export interface Import {
  /** Of the collection, such as `/api/v1/products`. */
  readonly path: string
  readonly tag: string
  readonly operationId: string
  readonly summary: string
  /** What each column is. */
  readonly description: string
  readonly columns: Columns
  /** A whole table. */
  readonly example: string
  /** Writes the rows that are right. */
  readonly load: (tx: Tx, table: CsvTable) => Promise<Outcome>
}

const write = operationsFor({ access: { role: 'staff', scope: 'quotations:write' } })

/** Loads many records of one kind from a table (contract, section 7). */
export const importRoutes =
  ({ db, write: answerWrite }: SliceDeps, { path, columns, load, ...about }: Import): FastifyPluginAsyncTypebox =>
  async (app) => {
    acceptTables(app, ['csv'])

    app.post(`${path}/import`, optionsOf(about), async (request, reply) => {
      const { dry_run: isDryRun } = request.query
      const table = readCsv(request.body, columns)
      const result = async (tx: Tx) => toResult(await load(tx, table), isDryRun)
      // Changes nothing, so an Idempotency-Key that was used for it is still good for the import itself.
      if (isDryRun) return undone(db, result)
      return answerWrite(request, reply, async (tx) => ({ status: 200, body: await result(tx) }))
    })
  }

const Result = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether nothing was written.' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    failed: Type.Integer({ description: 'Rows that were not written.' }),
    errors: Type.Array(
      Type.Object(
        {
          row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1.' }),
          column: Nullable(Type.String()),
          message: Type.String(),
        },
        { title: 'ImportRowError', description: 'Why a row was not written.' },
      ),
      { description: 'The first 1,000, by row.' },
    ),
  },
  { title: 'ImportResult', description: 'What became of the rows of a table.' },
)

const optionsOf = ({ tag, operationId, summary, description, example }: Omit<Import, 'path' | 'columns' | 'load'>) => {
  const more =
    `A table of at most 1 MiB and ${maxRows} rows (RFC 4180, UTF-8), whose first row names its columns. ${description} ` +
    'A record that is there already is changed. Every row that is right is written, whatever becomes of the others.'
  return makeRouteOptions(tag, errorResponses)(write(operationId, summary, more), {
    consumes: ['text/csv'],
    querystring: Type.Object({
      dry_run: Type.Boolean({ default: false, description: 'Say what would happen, and write nothing.' }),
    }),
    body: Type.Unsafe<Buffer>({ description: 'The table.', examples: [example] }),
    response: { 200: Result },
  })
}
