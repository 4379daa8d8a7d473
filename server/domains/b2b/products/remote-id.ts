import { Type } from 'typebox'

/** The field `product_remote_id`, of one type wherever it stands. What is sent may be a text also when it is a number. */
export const RemoteId = Type.Unsafe<number | string>({ type: ['integer', 'string'], examples: [1001] })

/** Clients count with numbers: a remote id that is one is shown as one. Whatever a number would change stays a text. */
export const remoteIdToWire = (remoteId: number | string): number | string =>
  typeof remoteId === 'string' && /^[1-9]\d{0,14}$/.test(remoteId) ? Number(remoteId) : remoteId
