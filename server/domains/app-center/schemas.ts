import { Type } from 'typebox'
import { CheckedElsewhere, errorsAs, ValidationMessages } from '#platform/http/schemas.ts'

const ValidationError = Type.Object(
  {
    validationError: Type.Record(Type.String(), ValidationMessages, {
      description: 'Field path → messages; `non_field_errors` for a broken rule.',
    }),
  },
  {
    title: 'ProjectValidationError',
    description: 'Fields that are not valid.',
    examples: [{ validationError: { field_name: ['This field is required.'] } }],
  },
)
const ApiError = Type.Object(
  { apiError: ValidationMessages },
  {
    title: 'ProjectApiError',
    description: 'What is wrong, where it is no field.',
    examples: [{ apiError: ['A sentence that says what is wrong.'] }],
  },
)

/** Error answers of the project surface (document 1, "Errors"), to spread into a route's `response`. */
export const projectErrors = { ...errorsAs(() => ApiError), 400: ValidationError }

/** Described only: ids are checked where their error can name the parameter. */
const objectId = (example: string) =>
  CheckedElsewhere(Type.String({ description: '24 hexadecimal characters.', examples: [example] }), {
    pattern: '^[0-9a-fA-F]{24}$',
  })

/** The ids that paths of the app center have, each with an example of its own. */
export const pathIds = {
  organizationId: objectId('69ccb5001f2e3d4c5b6a7988'),
  projectId: objectId('69ccb53c0a1b2c3d4e5f6071'),
  webhookId: objectId('6ab0ff00112233445566778b'),
  deliveryId: objectId('00000000000068f1c2a40001'),
  deploymentId: objectId('6ab1003c8899aabbccddeeff'),
  distributionId: objectId('6ab101f0a0b1c2d3e4f50617'),
  /** Of a member: people have numbers. */
  userId: CheckedElsewhere(Type.String({ description: 'Id of a user.', examples: ['42'] }), {
    pattern: '^[1-9][0-9]*$',
  }),
}
