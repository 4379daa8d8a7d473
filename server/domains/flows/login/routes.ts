import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { maxBytes, wrongCredentials } from './login-errors.ts'
import { readLoginForm } from './login-form.ts'
import { loginSchema } from './schemas.ts'

/**
 * Checks a name and a password, sent from an address.
 * @returns a token for flows; undefined when they are not valid.
 * @throws AppError 429 after too many failures.
 */
export type LogIn = (username: string, password: string, address: string) => Promise<string | undefined>

export interface LoginRoutesDeps {
  readonly path: string
  readonly logIn: LogIn
}

/** The login of the flow-integration service (document 1, "Login"). */
export const loginRoutes =
  ({ path, logIn }: LoginRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<Buffer>(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer' },
      async (_request: unknown, body: Buffer) => readLoginForm(body),
    )
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      // Credentials in a URL end up in logs and histories: they are not even looked at.
      request.query = {}
    })
    const options = { schema: loginSchema, bodyLimit: maxBytes, config: { access: 'public', also: [429] } } as const
    app.post(path, options, async ({ body, ip }, reply) => {
      const token = await logIn(body.username, body.password, ip)
      return reply
        .code(token === undefined ? 400 : 200)
        .type('text/plain; charset=utf-8')
        .send(token ?? wrongCredentials)
    })
  }
