import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Clock } from '#platform/clock.ts'
import { notFound } from '#platform/errors.ts'
import { attachment } from '#platform/http/attachment.ts'
import { errorResponses, IdParams } from '#platform/http/schemas.ts'
import { tableFile } from '#platform/spreadsheets/table-answer.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'
import type { DownloadLinks } from './links.ts'

export interface DownloadFile {
  /** Its key in the store. */
  readonly file: string
  readonly bytes: number
  /** What it is saved as. */
  readonly fileName: string
  readonly contentType: string
  readonly expiresAt: Date
}

export interface DownloadRoutesDeps {
  readonly clock: Clock
  readonly links: Pick<DownloadLinks, 'verify'>
  readonly store: Pick<ObjectStore, 'read'>
  /** The file of an export that is finished. */
  readonly findFile: (exportId: number) => Promise<DownloadFile | undefined>
}

/** Files of exports, for whoever has a link. Whatever is wrong with a link, the answer is 404. */
export const downloadRoutes =
  ({ clock, links, store, findFile }: DownloadRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema: downloadSchema, config: { access: 'public' } } as const
    app.get('/api/v1/exports/:id/file', options, async (request, reply) => {
      const { id } = request.params
      const { expires = '', signature = '' } = request.query
      reply.header('cache-control', 'private, no-store')
      // Before anything is looked for: guessing costs us nothing.
      if (!links.verify(id, expires, signature)) throw notFound()
      const found = await findFile(id)
      if (found === undefined || found.expiresAt <= clock.now()) throw notFound()

      const stream = await store.read(found.file)
      if (stream === undefined) {
        request.log.error({ export: id, file: found.file }, 'export.file_missing')
        throw notFound()
      }
      reply.type(found.contentType).headers({
        'content-disposition': attachment(found.fileName),
        'content-length': found.bytes,
      })
      return reply.send(request.method === 'HEAD' ? closed(stream) : stream)
    })
  }

/** For HEAD, where the framework would read a stream to its end. It was opened to know that there is one. */
const closed = (stream: Readable): Readable => {
  stream.destroy()
  return Readable.from([])
}

const downloadSchema = {
  tags: ['Exports'],
  summary: 'Fetch the file of an export',
  description:
    'The link of a finished export, which needs no credential and is good until the export expires; whatever is wrong with it, ' +
    'there is no such file.',
  operationId: 'fetchExportFile',
  params: IdParams,
  querystring: Type.Object({
    expires: Type.Optional(
      Type.String({ description: 'Until when the link is good, in Unix seconds.', examples: ['1795426200'] }),
    ),
    signature: Type.Optional(
      Type.String({
        description: 'Makes it one of ours.',
        examples: ['s0F2kqg1m3n5p7r9t1v3x5z7B9D1F3H5J7L9N1P3R5U'],
      }),
    ),
  }),
  response: {
    200: tableFile('The file, with its name in `Content-Disposition`.'),
    400: errorResponses[400],
    404: errorResponses[404],
    500: errorResponses[500],
    503: errorResponses[503],
  },
}
