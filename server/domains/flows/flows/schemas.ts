import { Type } from 'typebox'
import {
  Body,
  CheckedElsewhere,
  Id,
  IdOf,
  Nullable,
  OneOf,
  SentTarget,
  ShownTarget,
  Timestamp,
} from '#platform/http/schemas.ts'
import { directions } from './flow.ts'

const readOnly = ['id', 'disabled_reason', 'created_at', 'modified_at'] as const

const direction = OneOf(directions, { description: 'outbound: what is sent to it goes on to its target.' })
const optional = {
  name: Type.Optional(Type.String({ maxLength: 100, description: 'Default: empty.', examples: ['Orders to the ERP'] })),
  target: Type.Optional(
    Nullable(
      SentTarget({
        description:
          'Where data goes: http or https, or a place in a broker as for hooks, at most 2,048 ASCII characters. An outbound flow needs one, an inbound flow has none.',
        examples: ['https://erp.example.com/orders'],
      }),
    ),
  ),
  headers: Type.Optional(
    Nullable(
      Type.Record(Type.String(), Type.String(), {
        description:
          'At most 20 headers for the target, beside the content type of the data. Answers show ******** in place of credentials ' +
          '(by name: authorization, token, key, …), and sending that back keeps the value while the target keeps its scheme, host and port.',
        examples: [{ 'X-Shop': 'north' }],
      }),
    ),
  ),
  secret: Type.Optional(
    Nullable(
      Type.String({
        description:
          'Signs what is sent (Standard Webhooks); without one it is not signed. whsec_… is base64, anything else is used as it is. ' +
          'Answers show ********, and sending that back keeps it.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
  ),
  is_active: Type.Optional(Type.Boolean({ description: 'Whether it takes data. Default: true.' })),
}

export const NewFlow = CheckedElsewhere(
  Body({ direction, ...optional }, readOnly, {
    title: 'NewFlow',
    description: 'A flow to make.',
    examples: [
      {
        direction: 'outbound',
        name: 'Orders to the ERP',
        target: 'https://erp.example.com/orders',
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      },
    ],
  }),
  {
    if: { required: ['direction'], properties: { direction: { const: 'inbound' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { target: { type: 'null' }, headers: { maxProperties: 0 }, secret: { type: 'null' } } },
    else: { required: ['target'] },
  },
)
export const PartOfFlow = Body({ direction: Type.Optional(direction), ...optional }, readOnly, {
  title: 'FlowPatch',
  description: 'Changes of a flow; what is left out stays.',
  examples: [{ is_active: false }],
})

export const FlowRecord = Type.Object(
  {
    id: Id,
    name: Type.String(),
    direction: OneOf(directions),
    target: Nullable(ShownTarget),
    headers: Type.Record(Type.String(), Type.String()),
    secret: Nullable(Type.String({ description: '******** or null.' })),
    is_active: Type.Boolean({ description: 'false also when the target was switched off: see disabled_reason.' }),
    disabled_reason: Nullable(
      OneOf(['failing', 'gone'], {
        description:
          'Why the target of the flow was switched off: it failed for days, or answered 410 Gone. Data is still taken and kept. ' +
          'A failing one is tried now and then and comes back by itself; is_active: true switches either on.',
      }),
    ),
    created_at: Timestamp,
    modified_at: Timestamp,
  },
  { title: 'Flow', description: 'Data that is exchanged with another system.' },
)

export const FlowParams = Type.Object({ flowId: IdOf('Id of a flow.') })
