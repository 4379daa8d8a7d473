import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors.ts'
import { parseJsonBody } from '#platform/http/json-body.ts'
import { readForm, withoutTexts } from './settings/original-forms.ts'
import { isObject } from '#platform/sent-fields.ts'

/** Routes that also read bodies as the original's clients send them (contract, section 4): forms, and values in their texts. */
export const formRoutes =
  (routes: FastifyPluginAsync): FastifyPluginAsync =>
  async (app) => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
        parseJsonBody(Buffer.from(JSON.stringify(await readForm(body, request.headers['content-type'] ?? '')))),
      )
    app.addContentTypeParser('*', async () => {
      throw new AppError('unsupported_media_type', 415, 'Send the body as application/json, or as a form.')
    })
    app.addHook('preValidation', async (request) => {
      if (isObject(request.body)) request.body = withoutTexts(request.body)
    })
    await app.register(routes)
  }
