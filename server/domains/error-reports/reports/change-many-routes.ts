import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalidField } from '#platform/errors.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { errorResponses, Id, Nullable, OneOf, OptionalBody } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { write } from '../dependencies.ts'
import type { ChangeKind } from '../open-reports.ts'
import type { makeChangeMany, Wanted } from './change-many.ts'
import { shownCount } from './change-many-store.ts'
import { readReports, reportFilters, type ReportQuery } from './list-store.ts'
import { ErrorReport } from './report-shapes.ts'
import type { ShowReports } from './show-reports.ts'

/** Reports that a dry run shows. */
const sampleSize = 5

const ManyBody = OptionalBody(
  {
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'These reports.' })),
    undo: Type.Optional({
      ...Id,
      description: 'The `undo` of an answer: what that changed, and nobody has changed since.',
    }),
  },
  {
    title: 'ErrorReportsSelection',
    description: 'Which reports; without it those of the filters.',
    examples: [{ ids: [12, 15] }],
  },
)

const Changed = Type.Object(
  {
    status: OneOf(['dry_run', 'done', 'in_progress'], {
      description: '`in_progress`: there are more than 1,000, and a job works on them.',
    }),
    count: Type.Integer({ minimum: 0, description: 'Reports that could be changed when it was asked for.' }),
    is_exact: Type.Boolean({ description: 'false when there are more than were counted, by words.' }),
    changed: Type.Array(Id, { description: 'Ids of the reports that this request itself changed.' }),
    undo: Nullable({
      ...Id,
      description: 'What the opposite operation takes to undo this; null when nothing was changed.',
    }),
    sample: Type.Array(ErrorReport, { description: `Of a dry run: the oldest, at most ${sampleSize}.` }),
  },
  { title: 'ErrorReportsChanged', description: 'Reports that were resolved or reopened, or would be.' },
)

const texts = {
  resolve: write(
    'resolveErrorReports',
    'Resolve many error reports',
    'Those of `ids`, or all open ones that the list has with the same filters, as `is_ok` true of each would (`resolved_how` is `patched`). ' +
      'More than 1,000 are left to a job. `undo` names a reopening of many that is undone.',
  ),
  reopen: write(
    'reopenErrorReports',
    'Reopen many error reports',
    'Those of `ids`, or all resolved ones that the list has with the same filters, as `is_ok` false of each would; filters leave out logs of ' +
      'success. What failed here is left out when another report of it is open. More than 1,000 are left to a job. `undo` names what ' +
      'resolved many and is undone, also a `resolve_all` of a group.',
  ),
} satisfies Record<ChangeKind, unknown>

const route = makeRouteOptions('Error reports', errorResponses)
const optionsOf = (kind: ChangeKind) =>
  route(texts[kind], {
    querystring: Type.Object({
      ...reportFilters,
      dry_run: Type.Boolean({ default: false, description: 'Say how many there are, and change none.' }),
    }),
    body: ManyBody,
    response: { 200: Changed },
  })

interface Deps extends Pick<SliceDeps, 'db' | 'write'> {
  readonly changeMany: ReturnType<typeof makeChangeMany>
  readonly show: ShowReports
}

/** Many reports resolved or reopened at once, and that undone. */
export const changeManyRoutes =
  ({ db, write: answerWrite, changeMany, show }: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const kind of ['resolve', 'reopen'] as const)
      app.post(`/api/v1/error_reports/${kind}`, optionsOf(kind), async (request, reply) => {
        const wanted = wantedOf(request)
        // Changes nothing, so an Idempotency-Key that was used for it is still good for the change itself.
        if ((request.query as { readonly dry_run?: boolean }).dry_run === true) {
          const { count, ids } = await changeMany.preview(kind, wanted, sampleSize)
          const sample = await show.many(db, await readReports(db, ids), request.principal)
          return reply.send({ status: 'dry_run', ...shownCount(count), changed: [], undo: null, sample })
        }
        return answerWrite(request, reply, async (tx) => {
          const { count, ...result } = await changeMany.change(tx, kind, wanted, request.principal.userId)
          return { status: 200, body: { ...result, ...shownCount(count), sample: [] } }
        })
      })
  }

/** @throws AppError 400 where nothing, or more than one thing, says which reports. */
const wantedOf = ({ body, query }: Pick<FastifyRequest, 'body' | 'query'>): Wanted => {
  const { ids, undo } = (body ?? {}) as { readonly ids?: readonly number[]; readonly undo?: number }
  const { dry_run: _, ...filters } = query as Partial<ReportQuery> & { readonly dry_run: boolean }
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const given: Wanted[] = [
    ...(ids === undefined ? [] : [{ ids }]),
    ...(undo === undefined ? [] : [{ undo }]),
    ...(isFiltered ? [{ query: { ...filters, page: 1, limit: 1, ordering: 'id' } }] : []),
  ]
  const [wanted, ...more] = given
  if (wanted === undefined || more.length > 0)
    throw invalidField('ids', 'Say which reports by `ids`, by `undo`, or by filters of the list: one of these.')
  return wanted
}
