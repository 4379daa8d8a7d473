import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { contentTypeOf } from './table-file.ts'

const content = Object.fromEntries(
  Object.values(contentTypeOf).map((type) => [
    type.replace(/;.*/, ''),
    { schema: { description: 'The bytes of the file.' } },
  ]),
)
/** The schema of an answer that is a file of a table, of any format. */
export const tableFile = (description: string) => Type.Unsafe<Readable | Buffer>({ description, content })
