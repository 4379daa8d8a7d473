import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { errorResponses, Id } from '#platform/http/schemas.ts'
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
  { title: 'ContentType' },
)

const list = defineList({
  parameters: {
    model: Type.Optional(Type.String({ description: 'The whole name; case makes no difference.' })),
  },
})

const options = makeRouteOptions('Error reports', errorResponses)(
  read(
    'listContentTypes',
    'List content types',
    'Kinds of objects that error reports speak of. The ids are the same in every installation.',
  ),
  { querystring: list.querystring, response: { 200: Type.Array(ContentType) } },
)

/** What clients look the ids of `action_content_type` and `target_content_type` up by (contract, section 6). */
export const contentTypeRoutes =
  ({ baseUrl }: Pick<SliceDeps, 'baseUrl'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/content_types', options, async (request, reply) => {
      const model = request.query.model?.toLowerCase()
      const fitting = contentTypeRecords.filter((type) => model === undefined || type.model === model)
      return sendList(reply, baseUrl(), pageOf(fitting, request.query))
    })
  }
