import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { contentTypeOf } from '../spreadsheets/table-file.ts'

/** Formats of tables that are read. */
export type ReadFormat = 'csv' | 'xlsx'

export const typeOf: Readonly<Record<ReadFormat, string>> = { csv: 'text/csv', xlsx: contentTypeOf.xlsx }

/** Has the routes of a plugin take tables of these formats, as their bytes, and nothing else. */
export const acceptTables = (app: FastifyInstance, formats: readonly ReadFormat[]): void => {
  app.removeAllContentTypeParsers()
  for (const format of formats)
    app.addContentTypeParser<Buffer>(
      typeOf[format],
      { parseAs: 'buffer' },
      async (_request: unknown, body: Buffer) => body,
    )
  // The framework would blame every other type on not being JSON.
  app.addHook('onRequest', async ({ method, headers }) => {
    if (method === 'POST' && !isOneOf(formats, headers['content-type'])) throw refusalOf(formats)
  })
}

/** The format of a body that was taken. */
export const formatOf = (contentType = ''): ReadFormat => (partsOf(contentType)[0] === typeOf.xlsx ? 'xlsx' : 'csv')

const partsOf = (contentType: string): string[] =>
  contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())

const isOneOf = (formats: readonly ReadFormat[], contentType = ''): boolean => {
  const [type = '', ...parameters] = partsOf(contentType)
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  const isText = charset === undefined || /^"?utf-?8"?$/.test(charset)
  return formats.some((format) => typeOf[format] === type && (format !== 'csv' || isText))
}

const sayings: Readonly<Record<ReadFormat, string>> = { csv: 'text/csv in UTF-8', xlsx: typeOf.xlsx }

const refusalOf = (formats: readonly ReadFormat[]): AppError => {
  const types = formats.map((format) => sayings[format]).join(' or ')
  return new AppError('unsupported_media_type', 415, `Send the table as ${types}.`)
}
