import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { originForm } from '../http/request-path.ts'
import type { Page, Rows } from './page.ts'

/** A header that repeats a very long URL four times would be more than clients read (16 KiB in Node): then there is none. */
const maxLinkCharacters = 8_192

/**
 * Answers a list as an array, with `X-Total-Count` and `Link` (RFC 8288: first, prev, next, last).
 * @param toWire what the answer has for each row; the row itself by default.
 */
export const sendList = <T>(
  reply: FastifyReply,
  baseUrl: string,
  found: Rows<T>,
  toWire: (row: T) => unknown = (row) => row,
): FastifyReply => {
  const header = Object.entries(linksOf(reply.request, baseUrl, found))
    .flatMap(([rel, url]) => (url === null ? [] : [`<${url}>; rel="${rel}"`]))
    .join(', ')
  reply.header('x-total-count', found.count)
  sayWhetherMore(reply, found)
  if (header.length <= maxLinkCharacters) reply.header('link', header)
  return reply.send(found.rows.map((row) => toWire(row)))
}

const sayWhetherMore = (reply: FastifyReply, { bounded }: Rows<unknown>): void => {
  if (bounded?.isMore === true) reply.header('x-total-count-relation', 'gte')
}

/** The list envelope of document 3. */
export const Envelope = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Records on all pages.' }),
      next: OtherPage('next'),
      previous: OtherPage('previous'),
      results: Type.Array(item),
    },
    { description: 'A page of the list.' },
  )

const OtherPage = (which: string) =>
  Type.Union([Type.String({ format: 'uri' }), Type.Null()], { description: `The ${which} page; null: there is none.` })

/** A page in the list envelope; `next` and `previous` are absolute and keep every filter. */
export const envelope = <T, W = T>(
  reply: FastifyReply,
  baseUrl: string,
  found: Rows<T>,
  toWire: (row: T) => W = (row) => row as unknown as W,
) => {
  const { next, prev } = linksOf(reply.request, baseUrl, found)
  sayWhetherMore(reply, found)
  return { count: found.count, next, previous: prev, results: found.rows.map((row) => toWire(row)) }
}

type Links = Readonly<Record<'first' | 'prev' | 'next' | 'last', string | null>>

const linksOf = (request: FastifyRequest, baseUrl: string, { count, bounded }: Rows<unknown>): Links => {
  const page = request.query as Page
  const last = Math.max(1, Math.ceil(count / page.limit))
  // By the name that it was asked for, which may be an alias.
  const { origin, pathname, searchParams } = new URL(originForm(request.originalUrl), baseUrl)
  const at = (place: { readonly page?: number; readonly cursor?: string }): string => {
    const parameters = new URLSearchParams(searchParams)
    for (const name of ['page', 'cursor'] as const) {
      const value = place[name]
      if (value === undefined) parameters.delete(name)
      else parameters.set(name, String(value))
    }
    return `${origin}${pathname}?${parameters.toString()}`
  }
  const isPage = page.cursor === undefined
  const nextPage = isPage && page.page < last ? { page: page.page + 1 } : undefined
  const next = bounded?.next === undefined ? nextPage : { cursor: bounded.next }
  return {
    first: at({ page: 1 }),
    prev: isPage && page.page > 1 ? at({ page: Math.min(page.page - 1, last) }) : null,
    next: next ? at(next) : null,
    last: bounded?.isMore === true ? null : at({ page: last }),
  }
}
