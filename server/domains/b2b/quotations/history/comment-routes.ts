import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { Envelope, envelope } from '#platform/lists/send-list.ts'
import { Body, Id, IdParams, Timestamp } from '#platform/http/schemas.ts'
import { contextOf } from '../rules/request-context.ts'
import { commentList, listComments, type Comment } from './comment-store.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { pathOf, type Surface } from '../rules/vocabulary.ts'
import { idOf, one, QuotationPerson, reading, route, stale, writing } from '../surface/schemas.ts'
import { briefOf } from '../surface/show-quotation.ts'
import type { UseCases } from '../use-cases.ts'

const Text = Type.String({ minLength: 1, maxLength: 5000, pattern: String.raw`\S`, examples: ['Can you do 5 %?'] })
const CommentShape = Type.Object(
  {
    id: Id,
    text: Type.String(),
    user: QuotationPerson,
    internal: Type.Boolean({ description: 'Only the back office sees it.' }),
    created_at: Timestamp,
  },
  { title: 'QuotationComment', description: 'What somebody said about a quotation.' },
)
const CommentPage = Type.Object(Envelope(CommentShape).properties, {
  title: 'QuotationCommentPage',
  description: 'A page of comments.',
})
const bodies = {
  storefront: Body({ text: Text }, [], {
    title: 'NewMyComment',
    description: 'A comment of the buyer.',
    examples: [{ text: 'Can you do 5 %?' }],
  }),
  admin: Body(
    { text: Text, internal: Type.Optional(Type.Boolean({ description: 'Only the back office sees it.' })) },
    [],
    {
      title: 'NewComment',
      description: 'A comment of the back office.',
      examples: [{ text: 'Margin is fine.', internal: true }],
    },
  ),
}
const listOptions = (surface: Surface) => {
  const operationId = idOf('list', surface, 'Comments')
  return route[surface](reading[surface](operationId, 'List the comments on a quotation, the oldest first'), {
    params: IdParams,
    querystring: commentList.querystring,
    response: { 200: CommentPage },
  })
}
const addOptions = (surface: Surface) =>
  route[surface](
    writing(surface === 'admin' ? 'staff' : 'user')(
      idOf('add', surface, 'Comment'),
      'Comment on a quotation',
      surface === 'admin'
        ? 'Until it is rejected, cancelled or expired. Internal comments, which only the back office sees, always.'
        : 'Until it is rejected, cancelled or expired.',
    ),
    { ...one, body: bodies[surface], response: { 201: CommentShape, ...stale } },
  )

/** What is said about a quotation, on both surfaces. */
export const commentRoutes =
  (deps: QuotationDeps, { read, comment, expiry }: UseCases, surface: Surface): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl, findPeople } = deps
    const write = surface === 'storefront' ? deps.writeAsBuyer : deps.write
    const path = `${pathOf[surface]}/:id/comments`
    const seesInternal = surface === 'admin'

    const shown = async (conn: Db | Tx, comments: readonly Comment[]) => {
      const people = await findPeople(conn, [...new Set(comments.map(({ userId }) => userId))])
      const byId = new Map(people.map((person) => [person.id, person]))
      return comments.map(({ id, text, userId, isInternal, createdAt }) => ({
        id,
        text,
        user: briefOf(userId, byId.get(userId)),
        internal: isInternal,
        created_at: createdAt.toISOString(),
      }))
    }

    app.get(path, listOptions(surface), async (request, reply) => {
      const { id } = await read(db, contextOf(request, surface), request.params.id)
      const { rows, count } = await listComments(db, id, { seesInternal }, request.query)
      return envelope(reply, baseUrl(), { rows: await shown(db, rows), count })
    })

    app.post(path, addOptions(surface), async (request, reply) => {
      const { text, internal: isInternal = false } = request.body as { text: string; internal?: boolean }
      await expiry.expireDue([request.params.id])
      return write(request, reply, async (tx) => {
        const made = await comment(tx, contextOf(request, surface), request.params.id, { text, isInternal })
        const [body] = await shown(tx, [made])
        return { status: 201, body }
      })
    })
  }
