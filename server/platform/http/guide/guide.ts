import { existsSync } from 'node:fs'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { requestPath } from '../request-path.ts'

/** Whether the documents were built as a site into a folder. */
export const hasGuide = (directory: string | undefined): directory is string =>
  directory !== undefined && existsSync(join(directory, 'index.html'))

/** Serves the documents at `/guide`: pages whose scripts and styles are files of their own. */
export const guideRoutes =
  (root: string): FastifyPluginAsync =>
  async (app) => {
    const options = { config: { access: 'public' }, schema: { hide: true } } as const
    await app.register(files, { root, serve: false, preCompressed: true, index: false, dotfiles: 'ignore' })
    const send = (reply: FastifyReply, name: string): FastifyReply =>
      reply
        .headers({ 'cache-control': 'no-cache', 'content-security-policy': policy })
        .sendFile(name, { cacheControl: false })
    // Links of a page are relative to the folder. The router takes both addresses for the same.
    app.get('/guide', options, async ({ url }, reply) =>
      requestPath(url).endsWith('/') ? send(reply, 'index.html') : reply.redirect('guide/'),
    )
    app.get<{ Params: { '*': string } }>('/guide/*', options, async ({ params: { '*': name } }, reply) =>
      send(reply, name),
    )
  }

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
