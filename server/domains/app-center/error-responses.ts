import { Type } from 'typebox'
import { ValidationMessages } from '#platform/http/schemas.ts'

const ValidationError = Type.Object(
  {
    validationError: Type.Record(Type.String(), ValidationMessages, {
      description: 'Field path → messages; `non_field_errors` for a broken rule.',
    }),
  },
  { title: 'ProjectValidationError', examples: [{ validationError: { field_name: ['This field is required.'] } }] },
)
const ApiError = Type.Object(
  { apiError: ValidationMessages },
  { title: 'ProjectApiError', examples: [{ apiError: ['A sentence that says what is wrong.'] }] },
)

/** Error answers of the project surface (document 1, "Errors"), to spread into a route's `response`. */
export const projectErrors = {
  400: ValidationError,
  401: ApiError,
  403: ApiError,
  404: ApiError,
  409: ApiError,
  413: ApiError,
  415: ApiError,
  429: ApiError,
  500: ApiError,
}
