import { Type, type Static } from 'typebox'
import { projectEventTypes } from '#events/catalogue.ts'
import { Body, NotBlank, OneOf, SentTarget, ShownTarget, Timestamp } from '#platform/http/schemas.ts'
import { pathIds } from '../schemas.ts'

const { organizationId, projectId, webhookId, deliveryId } = pathIds
export const ProjectParams = Type.Object({ organizationId, projectId })
export const WebhookParams = Type.Object({ organizationId, projectId, webhookId })
export const DeliveryParams = Type.Object({ organizationId, projectId, webhookId, deliveryId })

const readOnly = ['_id', 'createdAt', 'updatedAt'] as const

const name = NotBlank(100, { examples: ['Release channel'] })
const url = SentTarget()
const events = Type.Array(OneOf(projectEventTypes), {
  minItems: 1,
  // Every name several times: more is no list of events.
  maxItems: 100,
  description: `At least one of: ${projectEventTypes.join(', ')}. Names are written exactly so; one that is named twice counts once.`,
  examples: [['deployment.build.succeeded', 'deployment.build.failed']],
})
const optional = {
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'At most 20 headers for the receiver, as a whole. They can replace none that every delivery carries. ' +
        'Answers show ******** in place of credentials (by name: authorization, token, key, …), and sending that back keeps the value ' +
        'while the scheme, host and port of url stay the same.',
      examples: [{ 'X-Team': 'mobile' }],
    }),
  ),
  active: Type.Optional(
    Type.Boolean({ description: 'Whether new events are delivered; what is due waits meanwhile. Default: true.' }),
  ),
}

export const NewWebhook = Body({ name, url, events, ...optional }, readOnly, {
  title: 'NewWebhook',
  description: 'A webhook to make.',
  examples: [{ name: 'Release channel', url: 'https://example.com/hooks', events: ['deployment.build.succeeded'] }],
})
export const PartOfWebhook = Body(
  { name: Type.Optional(name), url: Type.Optional(url), events: Type.Optional(events), ...optional },
  readOnly,
  {
    title: 'WebhookPatch',
    description: 'Changes of a webhook; what is left out stays.',
    examples: [{ active: false }],
  },
)
export type WebhookBody = Static<typeof PartOfWebhook>

/** A webhook as answers show it (document 1, "Webhook"). */
export const WebhookRecord = Type.Object(
  {
    _id: webhookId,
    name,
    url: ShownTarget,
    headers: Type.Record(Type.String(), Type.String()),
    active: Type.Boolean({
      description: 'false also after deliveries failed for days, or the receiver answered 410; true brings it back.',
    }),
    events: Type.Array(OneOf(projectEventTypes), { description: 'In the order of the documentation.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Webhook', description: 'A webhook of a project: where events go, and which.' },
)
export type WebhookRecord = Static<typeof WebhookRecord>
