import type { AppError } from '../../errors.ts'
import type { ErrorShape } from './error-shapes.ts'

/** Errors of the project surface (document 1, "Errors"; contract, section 1): `validationError` for 400, `apiError` for all else. */
export const projectErrorShape: ErrorShape = {
  prefix: '/api/v1/organizations',
  render: (error) => ({ contentType: 'application/json; charset=utf-8', body: bodyOf(error) }),
}

const bodyOf = ({ status, message, details: { fields } }: AppError): unknown =>
  status === 400 ? { validationError: fields ?? { non_field_errors: [message] } } : { apiError: [message] }
