import { STATUS_CODES } from 'node:http'
import { Type } from 'typebox'
import type { AppError } from '../../errors.ts'
import { ErrorCode, errorsAs, FieldErrors } from '../schemas.ts'
import type { ErrorShape } from './error-shapes.ts'

const contentType = 'application/problem+json'

/**
 * Errors of a surface as problem details (RFC 9457). Field errors have the member `errors`, broken rules `code` and
 * `allowed_actions`; the type is `about:blank` because the status says all there is to say of the kind (section 4.2.1).
 * @param prefix of the surface's paths.
 */
export const problemDetails = (prefix: string): ErrorShape => ({
  prefix,
  render: (error) => ({ contentType, body: problemOf(error) }),
})

const problemOf = ({ code, status, message, details: { fields, allowedActions } }: AppError): unknown => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail: message,
  ...(fields !== undefined && { errors: fields }),
  ...(fields === undefined && (status === 400 || status === 409) && { code }),
  ...(allowedActions !== undefined && { allowed_actions: allowedActions }),
})

const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    errors: Type.Optional(FieldErrors),
    code: Type.Optional(ErrorCode),
    allowed_actions: Type.Optional(Type.Array(Type.String())),
  },
  {
    title: 'Problem',
    description: 'Problem details (RFC 9457).',
    examples: [{ type: 'about:blank', title: 'Not Found', status: 404, detail: 'Not found.' }],
  },
)
const answer = (status: number) => ({
  content: { [contentType]: { schema: Problem, example: exampleOf(status) } },
})
const exampleOf = (status: number) => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail: 'A sentence that says what is wrong.',
  ...(status === 400 && { errors: { field_name: ['This field is required.'] } }),
  ...(status === 409 && { code: 'flow_inactive' }),
})

/** Error answers of such a surface, to spread into a route's `response`. */
export const problemResponses = errorsAs(answer)
