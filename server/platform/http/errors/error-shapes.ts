import type { AppError } from '../../errors.ts'
import { requestPath } from '../request-path.ts'

/** How one surface of the API says what went wrong (contract, section 1, "Error shapes"). */
export interface ErrorShape {
  /** Path prefix of the surface, compared by whole segments. */
  readonly prefix: string
  /** The surface is this path alone, and nothing below it. */
  readonly isExact?: true
  readonly render: (error: AppError) => { readonly contentType: string; readonly body: unknown }
}

/** The shape of every surface that has none of its own: field errors, rule errors, and `detail` for the rest. */
export const defaultShape: ErrorShape = {
  prefix: '/',
  render: ({ code, status, message, details }) => ({
    contentType: 'application/json; charset=utf-8',
    body: bodyOf(code, status, message, details),
  }),
}

const bodyOf = (code: string, status: number, message: string, details: AppError['details']): unknown => {
  if (details.fields !== undefined) return details.fields
  if (status === 400 || status === 409) {
    return {
      non_field_errors: [message],
      code,
      ...(details.allowedActions === undefined ? {} : { allowed_actions: details.allowedActions }),
    }
  }
  // The original hook service's refusals: a code, and a sentence by its language.
  return status === 406 ? { code, en: message } : { detail: message }
}

/** Errors of the project surface (document 1, "Errors"; contract, section 1): `validationError` for 400, `apiError` for all else. */
export const projectErrorShape: ErrorShape = {
  prefix: '/api/v1/organizations',
  render: (error) => ({ contentType: 'application/json; charset=utf-8', body: projectBodyOf(error) }),
}

const projectBodyOf = ({ status, message, details: { fields } }: AppError): unknown =>
  status === 400 ? { validationError: fields ?? { non_field_errors: [message] } } : { apiError: [message] }

/** Chooses the shape of the surface with the longest matching prefix. */
export const shapeFor = (shapes: readonly ErrorShape[], url: string): ErrorShape => {
  const path = requestPath(url)
  const matching = shapes.filter(({ prefix, isExact }) =>
    isExact === true ? path === prefix || path === `${prefix}/` : path === prefix || path.startsWith(`${prefix}/`),
  )
  return matching.reduce((best, shape) => (shape.prefix.length > best.prefix.length ? shape : best), defaultShape)
}
