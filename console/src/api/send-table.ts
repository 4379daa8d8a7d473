import { client } from './client.ts'
import type { Answer, PathOf, Query } from './types.ts'

/** What a table can be sent as, by the end of the name of its file. */
const types = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** The media type of a file with a table, by its name: a browser may know none for it. undefined: it is no table that is read. */
export const tableType = (name: string): string | undefined =>
  Object.entries(types).find(([ending]) => name.toLowerCase().endsWith(`.${ending}`))?.[1]

/** Sends a table as it is. @throws ApiError whose `fields` are named by row and column, as in `rows.2.quantity` */
export const sendTable = async <P extends PathOf<'post'>>(
  path: P,
  file: File,
  query: Query<'post', P>,
): Promise<Answer<'post', P>> => {
  const post = client.POST as unknown as (path: string, init: object) => Promise<{ data: Answer<'post', P> }>
  const { data } = await post(path, {
    params: { query },
    body: file,
    bodySerializer: (body: File) => body,
    headers: { 'content-type': tableType(file.name) ?? file.type },
  })
  return data
}
