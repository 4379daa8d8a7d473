import { Type, type Static } from 'typebox'
import { problemResponses } from '#platform/http/problem-details.ts'
import { Body, Nullable, Timestamp } from '#platform/http/schemas.ts'
import { FlowParams } from './schemas.ts'

const tags = ['Flows']
export const usualOverlapHours = 24
const longestOverlapHours = 168

const previousValidUntil = {
  previous_valid_until: Nullable(Timestamp),
}
const FlowSecret = Type.Object(
  { secret: Nullable(Type.String({ description: '********, or null when there is none.' })), ...previousValidUntil },
  { title: 'FlowSecret' },
)
const RotatedFlowSecret = Type.Object(
  {
    secret: Nullable(
      Type.String({
        description: 'The new secret, shown this once.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
    ...previousValidUntil,
  },
  { title: 'RotatedFlowSecret' },
)

const rotateBody = Body({
  secret: Type.Optional(
    Type.String({
      description: 'The new secret. Absent: whsec_ and base64 of 32 random bytes.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  ),
  overlap_hours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: longestOverlapHours,
      description: `Hours that the old secret signs beside the new one; 0 for not at all. Default: ${usualOverlapHours}.`,
      examples: [usualOverlapHours],
    }),
  ),
})
/** Can be left out. */
const RotateBody = Type.Unsafe<Static<typeof rotateBody> | null>({
  ...rotateBody,
  type: ['object', 'null'],
  examples: [{ overlap_hours: usualOverlapHours }],
})

export const getSecretSchema = {
  tags,
  summary: 'Get until when the old secret of a flow signs',
  description: '`previous_valid_until`: until when the secret before this one signs as well; null when it does not.',
  operationId: 'getFlowSecret',
  params: FlowParams,
  response: { ...problemResponses, 200: FlowSecret },
} as const
export const rotateSchema = {
  tags,
  summary: 'Change the secret that signs the data of a flow',
  description:
    'The old secret signs beside the new one until previous_valid_until, so the target can change over in between. The body can be ' +
    'left out. A flow that was not signed is signed from now on. 409 for an inbound flow.',
  operationId: 'rotateFlowSecret',
  params: FlowParams,
  body: RotateBody,
  response: { ...problemResponses, 200: RotatedFlowSecret },
} as const
export const revokeSchema = {
  tags,
  summary: 'End the overlap after a change of secrets',
  description: 'Old secrets sign no more.',
  operationId: 'revokePreviousFlowSecrets',
  params: FlowParams,
  response: { ...problemResponses, 204: Type.Null() },
} as const
