import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { askedOf, type Find } from '#platform/found.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { foundKinds, FoundView, SearchQuery, type FoundKind } from './schemas.ts'

export interface SearchDeps {
  readonly db: Db
  /** What each domain finds. */
  readonly finds: readonly Find<FoundKind>[]
}

const maxFound = 10

const options = makeRouteOptions('Search', errorResponses)(
  operationsFor({ access: { role: 'user', scope: 'any' } })(
    'search',
    'Find anything by its id, number or name',
    'At most 10 of what the caller may see: first what has exactly this id or number, then what has it in its name.',
  ),
  { querystring: SearchQuery, response: { 200: Type.Array(FoundView, { maxItems: maxFound }) } },
)

/** One search over everything. */
export const searchRoutes =
  ({ db, finds }: SearchDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/search', options, async ({ principal, query }) => {
      const asked = askedOf(query.q)
      if (asked.text === '') return []
      const found = (await Promise.all(finds.map((find) => find(db, principal, asked)))).flat()
      // What is found by its number and by its name as well is shown once.
      const byPath = new Map(found.toReversed().map((one) => [one.path, one]))
      const exactFirst = [...byPath.values()].toSorted(
        (one, other) =>
          Number(other.isExact) - Number(one.isExact) || foundKinds.indexOf(one.kind) - foundKinds.indexOf(other.kind),
      )
      return exactFirst.slice(0, maxFound).map(({ kind, id, title, subtitle, status, path }) => ({
        kind,
        id,
        title,
        subtitle,
        ...(status !== undefined && { status }),
        path,
      }))
    })
  }
