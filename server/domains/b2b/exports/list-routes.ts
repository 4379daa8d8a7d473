import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { Id, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { Envelope, envelope } from '#platform/lists/send-list.ts'
import { maxRowsOf, tableFormats } from '#platform/spreadsheets/table-file.ts'
import { listExports, ownExportList, type ListedExport } from './list-store.ts'
import { countRows } from './rows-store.ts'
import { stateOf, type ExportRoutesDeps } from './routes.ts'
import { ExportState, listQuery, read, route } from './schemas.ts'

const { is_ready: _isReady, ...state } = ExportState.properties

const ListedShape = Type.Object(
  {
    id: Id,
    status_cache_key: Type.String({ format: 'uuid' }),
    kind: OneOf(['quotations', 'items'], { description: 'Quotations with their orders, or the items of one.' }),
    quotation: Nullable(
      Type.Object(
        { id: Id, number: Type.String() },
        { description: 'The quotation whose items it has; null: it has quotations.' },
      ),
    ),
    format: OneOf(tableFormats),
    ...state,
    bytes: Nullable(Type.Integer({ minimum: 0, description: 'Size of the file; null: it is not finished.' })),
    created_at: Timestamp,
    finished_at: Nullable({ ...Timestamp, description: 'When it was completed or failed; null: it is neither.' }),
    expires_at: Type.String({ ...Timestamp, description: 'From then on it is not there any more, nor its file.' }),
    again: Type.Object(
      {
        method: OneOf(['GET']),
        path: Type.String({ examples: ['/api/v1/quotations/export/'] }),
        query: Type.String({ examples: ['format=csv&fields=number%2Cnet_amount&status=approved'] }),
      },
      { description: 'The request that begins the same once more.' },
    ),
  },
  { title: 'Export', description: 'An export of the caller.' },
)
const listOptions = route(
  read(
    'listExports',
    'List the exports of the caller',
    'The newest first, for 24 hours. `rows_done` goes up a few times a second while one is made.',
  ),
  { querystring: ownExportList.querystring, response: { 200: Envelope(ListedShape) } },
)

const SizeShape = Type.Object(
  {
    rows: Type.Integer({ minimum: 0 }),
    formats: Type.Array(OneOf(tableFormats), { description: 'Those whose sheet is large enough.' }),
  },
  { title: 'ExportSize', description: 'How large an export would be.' },
)
const { fields: _fields, format: _format, status_cache_key: _key, ...narrowing } = listQuery
const sizeOptions = route(
  read(
    'measureExport',
    'Say how many rows an export of quotations would have',
    'By its filters, `limit` and `rows`. What does not fit into the format is refused when the export is asked for.',
  ),
  { querystring: Type.Object(narrowing), response: { 200: SizeShape } },
)

/** What somebody has had made, and how large something would be. */
export const exportListRoutes =
  ({ db, clock, links, baseUrl }: ExportRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const toWire = (one: ListedExport): Static<typeof ListedShape> => {
      const { is_ready: _, ...reached } = stateOf(one, links)
      return {
        id: one.id,
        status_cache_key: one.cacheKey,
        kind: one.quotationId === null ? 'quotations' : 'items',
        quotation: one.quotationId === null ? null : { id: one.quotationId, number: one.quotationNumber ?? '' },
        format: one.format,
        ...reached,
        bytes: one.bytes,
        created_at: one.createdAt.toISOString(),
        finished_at: one.finishedAt?.toISOString() ?? null,
        expires_at: one.expiresAt.toISOString(),
        again: { method: 'GET', path: pathOf(one), query: queryOf(one) },
      }
    }

    app.get('/api/v1/exports', listOptions, async (request, reply) =>
      envelope(reply, baseUrl(), await listExports(db, request.principal.userId, clock.now(), request.query), toWire),
    )

    app.get('/api/v1/quotations/export/rows', sizeOptions, async (request) => {
      const rows = await countRows(db, { quotationId: null, query: request.query })
      return { rows, formats: tableFormats.filter((format) => rows <= maxRowsOf[format]) }
    })
  }

/** Where the same is begun. */
const pathOf = ({ quotationId }: ListedExport): string =>
  `/api/v1/quotations/${quotationId === null ? '' : `${quotationId}/`}export/`

/** The query that asks for the same again. */
const queryOf = ({ format, fields, query }: ListedExport): string => {
  const asked = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return new URLSearchParams([['format', format], ['fields', fields.join(',')], ...asked]).toString()
}
