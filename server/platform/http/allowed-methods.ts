import type { FastifyInstance } from 'fastify'
import { requestPath } from './request-path.ts'

/** Which methods each path pattern has; filled as routes are added. */
export type RouteTable = Map<string, { pattern: RegExp; methods: Set<string> }>

/** Keeps the table that lets a 405 say what would be allowed, which the router itself cannot tell. */
export const recordRoutes = (app: FastifyInstance): RouteTable => {
  const table: RouteTable = new Map()
  app.addHook('onRoute', ({ url, method, schema }) => {
    const key = url.replace(/\/$/, '')
    const entry = table.get(key) ?? { pattern: patternOf(key, schema?.params), methods: new Set<string>() }
    for (const name of [method].flat()) entry.methods.add(name)
    table.set(key, entry)
  })
  return table
}

/** The methods of every pattern that the path fits, in alphabetical order; none means the path does not exist. */
export const allowedMethods = (table: RouteTable, url: string): string[] => {
  const path = requestPath(url).replace(/\/$/, '')
  const methods = [...table.values()].filter(({ pattern }) => pattern.test(path)).flatMap((entry) => [...entry.methods])
  return [...new Set(methods)].toSorted()
}

/** A parameter that is a number is no word: `/quotations/export` is not a quotation, and has not its methods. */
const patternOf = (url: string, params: unknown): RegExp => {
  const { properties = {} } = (params ?? {}) as { properties?: Readonly<Record<string, { type?: string }>> }
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*'
    if (part.startsWith(':')) return properties[part.slice(1)]?.type === 'integer' ? String.raw`\d+` : '[^/]+'
    return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}$`)
}
