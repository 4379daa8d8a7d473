import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { maxBytes, missingCredentials, wrongCredentials } from './login-errors.ts'
import { readLoginForm } from './login-form.ts'

/**
 * Checks a name and a password, sent from an address.
 * @returns a token for flows; undefined when they are not valid.
 * @throws AppError 429 after too many failures.
 */
export type LogIn = (username: string, password: string, address: string) => Promise<string | undefined>

interface LoginRoutesDeps {
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

/** Both as long as at the other login: nothing longer was ever set. */
const LoginParameters = Type.Object({
  username: Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'E-mail or user name.',
    examples: ['ayse@example.com'],
  }),
  password: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true }),
})

const Sentence = (description: string, examples: readonly string[] = []) => Type.String({ description, examples })

const loginSchema = {
  tags: ['Flows'],
  summary: 'Log in for a token of the flow-integration service',
  description:
    'The token is a JWT that lasts 15 minutes and is good for the flow operations alone. Send it as `Authorization: Bearer <token>`, or bare. It ends early when the person is deactivated or gets a new password. Flows are for staff and superusers; the token of anybody else gets 403 there. Ten failures in 15 minutes, under one name or from one address and together with those of the other logins, are answered with 429. Every answer is plain text.',
  operationId: 'logInToFlows',
  consumes: ['application/x-www-form-urlencoded'],
  produces: ['text/plain'],
  body: LoginParameters,
  response: {
    200: Sentence('The access token, and nothing else.'),
    400: Sentence('The credentials are not valid, or not there.', [wrongCredentials, missingCredentials]),
    413: Sentence('The form is too large.'),
    415: Sentence('The body is not a form.'),
    429: Sentence('Too many failed logins; `Retry-After` says when to try again.'),
    500: Sentence('A bug.'),
    503: Sentence('The database does not answer. Try again.'),
  },
}
