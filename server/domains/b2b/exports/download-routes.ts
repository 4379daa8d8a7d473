import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Clock } from '#platform/clock.ts'
import { contentHash } from '#platform/crypto/digests.ts'
import { AppError, notFound } from '#platform/errors.ts'
import { attachment, readRange } from '#platform/http/download.ts'
import { Described, errorResponses, IdParams } from '#platform/http/schemas.ts'
import { contentTypeOf } from '#platform/spreadsheets/table-file.ts'
import type { ByteRange, ObjectStore } from '#platform/storage/object-store.ts'
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

/** Files of exports, whole or in part, for whoever has a link. Whatever is wrong with a link, the answer is 404. */
export const downloadRoutes =
  ({ clock, links, store, findFile }: DownloadRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const options = { schema: downloadSchema, config: { access: 'public' } } as const
    app.get('/api/v1/exports/:id/file', options, async (request, reply) => {
      const { id } = request.params
      const { expires = '', signature = '' } = request.query
      reply.headers({ 'cache-control': 'private, no-store', 'accept-ranges': 'bytes' })
      // Before anything is looked for: guessing costs us nothing.
      if (!links.verify(id, expires, signature)) throw notFound()
      const found = await findFile(id)
      if (found === undefined || found.expiresAt <= clock.now()) throw notFound()

      const etag = etagOf(found)
      const part = request.method === 'HEAD' ? undefined : partOf(request.headers, etag, found.bytes)
      const stream = await store.read(found.file, part)
      if (stream === undefined) {
        request.log.error({ export: id, file: found.file }, 'export.file_missing')
        throw notFound()
      }
      if (part !== undefined) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${found.bytes}`)
      reply.type(found.contentType).headers({
        etag,
        'content-disposition': attachment(found.fileName),
        'content-length': part === undefined ? found.bytes : part.end - part.start + 1,
      })
      return reply.send(request.method === 'HEAD' ? closed(stream) : stream)
    })
  }

/** What of it was asked for; undefined for all of it. */
const partOf = (
  headers: { readonly range?: string | undefined; readonly 'if-range'?: string | undefined },
  etag: string,
  bytes: number,
): ByteRange | undefined => {
  // The part that the client has may be of another file. (A time is none of ours: we give none.)
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined
  const range = readRange(headers.range, bytes)
  if (range === 'unsatisfiable')
    throw new AppError('range_not_satisfiable', 416, `The file has ${bytes} bytes.`, {
      headers: { 'content-range': `bytes */${bytes}` },
    })
  return range === 'whole' ? undefined : range
}

/** A finished file never changes, and none after it is of the same export and the same time. */
const etagOf = ({ file, bytes, expiresAt }: DownloadFile): string =>
  `"${contentHash([file, bytes, expiresAt.toISOString()].join(' '))}"`

/** For HEAD, where the framework would read a stream to its end. It was opened to know that there is one. */
const closed = (stream: Readable): Readable => {
  stream.destroy()
  return Readable.from([])
}

const content = Object.fromEntries(
  Object.values(contentTypeOf).map((type) => [
    type.replace(/;.*/, ''),
    { schema: { description: 'The bytes of the file.' } },
  ]),
)
const File = (description: string) => Type.Unsafe<Readable>({ description, content })

const downloadSchema = {
  tags: ['Exports'],
  summary: 'Fetch the file of an export',
  description:
    'The link of a finished export, which needs no credential and is good until the export expires; whatever is wrong with it, ' +
    'there is no such file. A download that broke off goes on with `Range`, and with the `ETag` as `If-Range`.',
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
  headers: Type.Object({
    range: Type.Optional(
      Type.String({
        description:
          'One range of bytes. Of several, or of anything else, nothing is taken and the answer is the whole file.',
        examples: ['bytes=1048576-'],
      }),
    ),
    'if-range': Type.Optional(
      Type.String({
        description: 'The `ETag` of what is there already: the range counts only if the file is still that one.',
        examples: ['"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"'],
      }),
    ),
  }),
  response: {
    200: File('The file, with its name in `Content-Disposition`.'),
    206: File('The part of the file that `Range` asks for; `Content-Range` says which.'),
    400: errorResponses[400],
    404: errorResponses[404],
    416: Described(
      'What `Range` asks for is behind the end; `Content-Range` says how long the file is.',
      errorResponses[404],
    ),
    429: errorResponses[429],
    500: errorResponses[500],
  },
}
