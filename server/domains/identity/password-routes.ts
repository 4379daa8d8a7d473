import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { PasswordLinks } from './password-links.ts'
import { PasswordConfirmation, PasswordReset, ResetAsked } from './schemas.ts'

/** Setting a password without the present one, for whoever gets the e-mail of a person. */
export const passwordRoutes =
  ({ passwordLinks }: { readonly passwordLinks: PasswordLinks }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/v1/auth/password/reset', resetOptions, async (request, reply) => {
      await passwordLinks.requestReset(request.body.email, request.ip)
      return reply.code(202).send({ detail: 'If there is such an account, a link is on its way to it.' })
    })

    app.post('/api/v1/auth/password/reset/confirm', confirmOptions, async (request, reply) => {
      await passwordLinks.confirm(request.body.token, request.body.password, request.ip)
      return reply.code(204).send(null)
    })
  }

const route = makeRouteOptions('Authentication', errorResponses)
const resetOptions = route(
  operationsFor({ access: 'public', also: [429] })(
    'resetPassword',
    'Ask for a link that sets a new password',
    'It comes by e-mail, works once, and ends after an hour. The answer is the same whether or not somebody has this address. At most three letters are sent in 15 minutes, and ten requests from one address are answered; the links that were sent stay good. Without SMTP_URL the letter is kept, and superusers read it: `GET /api/v1/mails/`.',
  ),
  { body: PasswordReset, response: { 202: ResetAsked } },
)
const confirmOptions = route(
  operationsFor({ access: 'public' })(
    'confirmPassword',
    'Set a password by a link',
    'With the token of a reset or an invitation. Every key, session and other link of the person ends. A password that is refused leaves the link good.',
  ),
  { body: PasswordConfirmation, response: { 204: Type.Null() } },
)
