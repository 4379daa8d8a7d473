import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { originForm } from './request-path.ts'

/** Query fields of every list (contract, section 1). */
export const pageQuery = () => ({
  page: Type.Integer({ title: 'Page', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 }),
  limit: Type.Integer({ title: 'Limit', minimum: 1, maximum: 1000, default: 10, description: 'Rows on a page.' }),
})

export interface Page {
  readonly page: number
  readonly limit: number
}

export interface Rows<T> {
  readonly rows: readonly T[]
  /** Rows on all pages. */
  readonly count: number
}

/** Rows before the page. Beyond what the database can skip there is nothing anyway. */
export const offsetOf = ({ page, limit }: Page): number => Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)

/** `ordering=field` or `-field`: one of the given fields. */
export const orderingQuery = (fields: readonly string[]) => ({
  ordering: Type.Optional(
    Type.Unsafe<string>({ type: 'string', enum: fields.flatMap((field) => [field, `-${field}`]) }),
  ),
})

/** Splits `-created_date` into its parts. */
export const orderingOf = (ordering: string): { field: string; direction: 'asc' | 'desc' } =>
  ordering.startsWith('-') ? { field: ordering.slice(1), direction: 'desc' } : { field: ordering, direction: 'asc' }

/** A header that repeats a very long URL four times would be more than clients read (16 KiB in Node): then there is none. */
const mostLinkCharacters = 8_192

/** Answers a list as an array, with `X-Total-Count` and `Link` (RFC 8288: first, prev, next, last). */
export const sendArray = <T>(
  reply: FastifyReply,
  baseUrl: string,
  page: Page,
  { rows, count }: Rows<T>,
): FastifyReply => {
  const links = linksOf(reply.request, baseUrl, page, count)
  const header = Object.entries(links)
    .flatMap(([rel, url]) => (url === null ? [] : [`<${url}>; rel="${rel}"`]))
    .join(', ')
  reply.header('x-total-count', count)
  return (header.length > mostLinkCharacters ? reply : reply.header('link', header)).send(rows)
}

/** The list envelope of document 3. */
export const Envelope = <T extends TSchema>(item: T) =>
  Type.Object({
    count: Type.Integer(),
    next: Type.Union([Type.String(), Type.Null()]),
    previous: Type.Union([Type.String(), Type.Null()]),
    results: Type.Array(item),
  })

/** A page in the list envelope; `next` and `previous` are absolute and keep every filter. */
export const envelope = <T>(request: FastifyRequest, baseUrl: string, page: Page, { rows, count }: Rows<T>) => {
  const { next, prev } = linksOf(request, baseUrl, page, count)
  return { count, next, previous: prev, results: rows }
}

const linksOf = (request: FastifyRequest, baseUrl: string, { page, limit }: Page, count: number) => {
  const last = Math.max(1, Math.ceil(count / limit))
  const at = (number: number): string => {
    // By the name that it was asked for, which may be an alias.
    const url = new URL(originForm(request.originalUrl), baseUrl)
    url.searchParams.set('page', String(number))
    return url.href
  }
  return {
    first: at(1),
    prev: page > 1 ? at(Math.min(page - 1, last)) : null,
    next: page < last ? at(page + 1) : null,
    last: at(last),
  }
}
