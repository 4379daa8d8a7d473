import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { contentTypes, type ContentType } from '#events/content-types.ts'
import { orNotFound } from '#platform/errors.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { errorResponses, Id, IdParams } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { pageOf } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { read } from '../dependencies.ts'

/** The part of the system that kinds belong to. What has no other place belongs to the catalogue. */
const parts: Readonly<Record<string, readonly ContentType[]>> = {
  order_management: ['package', 'shipment', 'transfer', 'stocklocation'],
  app_center: ['webhook', 'project', 'deployment', 'distribution'],
  flows: ['flow', 'flowrun'],
  webhooks: ['delivery'],
  b2b: ['quotation', 'export'],
  orders: ['order', 'orderitem', 'cancellationrequest'],
  address: ['country', 'city', 'township', 'district'],
  channels: ['channel'],
  integrations: ['batchrequest', 'integrationaction'],
}
/** Every kind of object that reports can speak of, in the order of the ids. */
const records = (Object.keys(contentTypes) as ContentType[]).map((model) => ({
  id: contentTypes[model],
  app_label: Object.keys(parts).find((part) => parts[part]?.includes(model)) ?? 'catalogs',
  model,
}))

const ContentTypeRecord = Type.Object(
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
  { querystring: list.querystring, response: { 200: Type.Array(ContentTypeRecord) } },
)
const getOptions = route(read('getContentType', 'Read a content type'), {
  params: IdParams,
  response: { 200: ContentTypeRecord },
})

/** What clients look the ids of `action_content_type` and `target_content_type` up by (contract, section 6). */
export const contentTypeRoutes =
  ({ baseUrl }: Pick<SliceDeps, 'baseUrl'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/content_types', listOptions, async (request, reply) => {
      const model = request.query.model?.toLowerCase()
      const fitting = records.filter((type) => model === undefined || type.model === model)
      return sendList(reply, baseUrl(), pageOf(fitting, request.query))
    })
    app.get('/api/v1/content_types/:id', getOptions, async ({ params }) =>
      orNotFound(records.find(({ id }) => id === params.id)),
    )
  }
