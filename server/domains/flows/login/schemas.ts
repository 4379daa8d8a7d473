import { Type } from 'typebox'
import { missingCredentials, wrongCredentials } from './login-errors.ts'

/** Both as long as at the other login: nothing longer was ever set. */
export const LoginParameters = Type.Object({
  username: Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'E-mail or user name.',
    examples: ['ayse@example.com'],
  }),
  password: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true }),
})

const Sentence = (description: string, examples: readonly string[] = []) => Type.String({ description, examples })

export const loginSchema = {
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
