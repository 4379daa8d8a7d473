import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { IdParams, Timestamp } from '#platform/http/schemas.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { visibleQuotation } from '../rules/hold-quotation.ts'
import { contextOf } from '../rules/request-context.ts'
import { pathOf } from '../rules/vocabulary.ts'
import { QuotationPerson, reading, route } from '../surface/schemas.ts'
import { briefOf } from '../surface/show-quotation.ts'
import { noteViewer, removeViewer, viewersOf } from './viewer-store.ts'

const Viewer = Type.Object(
  { ...QuotationPerson.properties, since: Timestamp },
  { title: 'QuotationViewer', description: 'Somebody of the back office who looks at a quotation.' },
)
const Viewers = Type.Object(
  { results: Type.Array(Viewer) },
  { title: 'QuotationViewers', description: 'The others who look at a quotation.' },
)
const lookOptions = route.admin(
  reading.admin(
    'viewQuotation',
    'Say that the caller looks at a quotation, and hear who else does',
    'It counts for 45 seconds: screens that show the quotation say it every 20 seconds.',
  ),
  { params: IdParams, response: { 200: Viewers } },
)
const leaveOptions = route.admin(
  reading.admin(
    'leaveQuotation',
    'Say that the caller does not look at a quotation any more',
    '204 also when they did not.',
  ),
  { params: IdParams, response: { 204: Type.Null() } },
)

/** Who looks at a quotation, for those who might change it at once. */
export const viewerRoutes =
  ({ write, clock, findPeople }: QuotationDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = `${pathOf.admin}/:id/viewers`
    app.put(path, lookOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const context = contextOf(request, 'admin')
        const { id } = await visibleQuotation(tx, context, request.params.id)
        const now = clock.now()
        await noteViewer(tx, { quotationId: id, userId: context.userId }, now)
        const others = (await viewersOf(tx, id, now)).filter(({ userId }) => userId !== context.userId)
        const people = await findPeople(
          tx,
          others.map(({ userId }) => userId),
        )
        const byId = new Map(people.map((person) => [person.id, person]))
        const results = others.map(({ userId, since }) => ({
          ...briefOf(userId, byId.get(userId)),
          since: since.toISOString(),
        }))
        return { status: 200, body: { results } }
      }),
    )

    app.delete(path, leaveOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const context = contextOf(request, 'admin')
        const { id } = await visibleQuotation(tx, context, request.params.id)
        await removeViewer(tx, id, context.userId)
        return { status: 204 }
      }),
    )
  }
