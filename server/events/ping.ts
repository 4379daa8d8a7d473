import { Type } from 'typebox'
import { defineEvent } from './event.ts'

const ObjectId = Type.String({ pattern: '^[0-9a-f]{24}$' })

/** The webhook of a project that is tried out. */
export const PingData = Type.Object(
  {
    _id: ObjectId,
    organization: ObjectId,
    project: ObjectId,
    name: Type.String(),
    events: Type.Array(Type.String(), { description: 'What the webhook is subscribed to.' }),
  },
  { title: 'PingData', description: 'The webhook that is tried out.' },
)

/** What a project webhook is tried out with (contract, section 3). It goes to that webhook alone; nobody subscribes to it. */
export const pingEvents = {
  'webhook.ping': defineEvent({
    description: 'Somebody tries a webhook of a project out.',
    about: 'webhook',
    schema: PingData,
    example: {
      _id: '6ab0ff00112233445566778e',
      organization: '6ab0ff00112233445566778a',
      project: '6ab0ff00112233445566778b',
      name: 'Release channel',
      events: ['deployment.build.succeeded', 'deployment.build.failed'],
    },
  }),
}
