import { Type } from 'typebox'
import { errorsAs, ValidationMessages } from '#platform/http/schemas.ts'

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
export const projectErrors = { ...errorsAs(() => ApiError), 400: ValidationError }
