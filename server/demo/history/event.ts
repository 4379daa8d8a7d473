import { standardBody } from '#delivery/tables/envelope.ts'

/** Something that happened, as history keeps it. */
export interface HistoryEvent {
  readonly scope: string
  readonly type: string
  readonly at: Date
  readonly objectType: string | null
  readonly objectId: string | null
  readonly body: string
  /** Of what is sent to one subscription alone: its kind, and whose it is. */
  readonly contentType?: string | null
  readonly addressee?: number | null
}

/** An event of the back office about an object. @param data the object after the change. */
export const backOffice = (
  type: string,
  at: Date,
  [objectType, objectId]: readonly [type: string, id: number | string],
  data: unknown,
): HistoryEvent => ({
  scope: 'back-office',
  type,
  at,
  objectType,
  objectId: String(objectId),
  body: standardBody(type, at, data),
})
