import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { orNotFound } from '#platform/errors.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { errorResponses, Id, IdParams } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { pageOf } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { read } from '../dependencies.ts'
import { contentTypeRecords } from './content-type.ts'

const ContentType = Type.Object(
  {
    id: Id,
    app_label: Type.String(),
    model: Type.String({ examples: ['batchrequest'] }),
  },
  { title: 'ContentType', description: 'A kind of objects, by the id that error reports name it with.' },
)

const list = defineList({
  parameters: {
    model: Type.Optional(Type.String({ description: 'The whole name; case makes no difference.' })),
  },
})

const route = makeRouteOptions('Error reports', errorResponses)
const listOptions = route(
  read(
    'listContentTypes',
    'List content types',
    'Kinds of objects that error reports speak of. The ids are the same in every installation.',
  ),
  { querystring: list.querystring, response: { 200: Type.Array(ContentType) } },
)
const getOptions = route(read('getContentType', 'Read a content type'), {
  params: IdParams,
  response: { 200: ContentType },
})

/** What clients look the ids of `action_content_type` and `target_content_type` up by (contract, section 6). */
export const contentTypeRoutes =
  ({ baseUrl }: Pick<SliceDeps, 'baseUrl'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/content_types', listOptions, async (request, reply) => {
      const model = request.query.model?.toLowerCase()
      const fitting = contentTypeRecords.filter((type) => model === undefined || type.model === model)
      return sendList(reply, baseUrl(), pageOf(fitting, request.query))
    })
    app.get('/api/v1/content_types/:id', getOptions, async ({ params }) =>
      orNotFound(contentTypeRecords.find(({ id }) => id === params.id)),
    )
  }
