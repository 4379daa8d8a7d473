import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { requestPath } from '../request-path.ts'
import { sendFrontPage } from './front-page.ts'

export interface ConsoleOptions {
  readonly version: string
  /** Where it was built: its pages, what belongs beside them, and `assets/` with names that change with the content. */
  readonly directory: string | undefined
  /** First segments of paths that are not pages of the console. */
  readonly otherSegments: readonly string[]
}

/** Two single-page applications: one page at `/shop` and below it, the other at every path that nothing else has. */
export interface Pages {
  /** Whether a request for a path that no route has is for a page. */
  readonly isWanted: (request: FastifyRequest) => boolean
  readonly send: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export interface Console extends Pages {
  readonly isBuilt: boolean
  readonly routes: FastifyPluginAsync
}

/** Stands in a page where the nonce of an answer goes. */
const noncePlace = '__CSP_NONCE__'
const yearMs = 31_536_000_000

/** Serves the console as it was built; where it was not, each of its pages says how to build it. */
export const makeConsole = ({ version, directory, otherSegments }: ConsoleOptions): Console => {
  const root = directory !== undefined && existsSync(join(directory, 'index.html')) ? directory : undefined
  const others = new Set([...otherSegments, 'assets'])

  const send = async ({ url }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (root === undefined) return sendFrontPage(reply, version, true)
    // Read for each answer, so that another build counts at once.
    const page = await readFile(join(root, firstSegment(url) === 'shop' ? 'shop.html' : 'index.html'), 'utf8')
    const nonce = randomBytes(16).toString('base64')
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': policyWith(nonce) })
      .send(page.replaceAll(noncePlace, nonce))
  }

  return {
    isBuilt: root !== undefined,
    isWanted: ({ method, url, headers: { accept = '' } }) =>
      (method === 'GET' || method === 'HEAD') && asksForHtml.test(accept) && !others.has(firstSegment(url)),
    send,
    routes: async (app) => {
      const options = { config: { access: 'public' }, schema: { hide: true } } as const
      app.get('/', options, send)
      if (root === undefined) return
      await app.register(files, { root, serve: false, preCompressed: true, index: false, dotfiles: 'ignore' })
      app.get<{ Params: { '*': string } }>('/assets/*', options, async (request, reply) =>
        reply.sendFile(`assets/${request.params['*']}`, { maxAge: yearMs, immutable: true }),
      )
      for (const name of namesBesideIndex(root))
        app.get(`/${name}`, options, async (_request, reply) =>
          reply.header('cache-control', 'no-cache').sendFile(name, { cacheControl: false }),
        )
    },
  }
}

const firstSegment = (url: string): string => requestPath(url).split('/')[1] ?? ''

/** Browsers name it when they open a page; programs, scripts and images do not. */
const asksForHtml = /(^|[,\s])text\/html\s*([,;]|$)/i

/** Icons and the like, which have the same name in every build. */
const namesBesideIndex = (root: string): string[] =>
  readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && /^\w[\w-]*\.(?!br$|gz$|html$)\w+$/.test(entry.name) ? [entry.name] : [],
  )

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
