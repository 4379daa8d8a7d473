/**
 * What an event looks like on the wire (contract, section 5): `standard` as Standard Webhooks shows it, `original` as the
 * original hook service wrapped it.
 */
export type Envelope = 'standard' | 'original'

/** What is stored of an event, and sent in the standard envelope. Made once, whoever listens. */
export const standardBody = (type: string, occurredAt: Date, data: unknown): string =>
  `${standardHead(type, occurredAt.toISOString())}${JSON.stringify(data)}}`

/** What one delivery of an event is, as its envelope says. */
export interface Enveloped {
  readonly envelope: Envelope
  readonly eventType: string
  readonly webhookId: string
}

/**
 * The stored body of an event in the envelope of a delivery. Both envelopes end alike and differ in what stands before the
 * data, so that nothing is parsed, and that the beginning of a stored body gives the beginning of what is sent.
 */
export const inEnvelope = (stored: string, { envelope, eventType, webhookId }: Enveloped): string =>
  envelope === 'standard'
    ? stored
    : originalHead(eventType, webhookId) + stored.slice(standardHead(eventType, anyTimestamp).length)

const standardHead = (type: string, timestamp: string): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":`

/** The original writes the digits of its ids without hyphens. */
const originalHead = (type: string, webhookId: string): string =>
  `{"event":{"type":${JSON.stringify(type)},"uuid":"${webhookId.replaceAll('-', '')}"},"payload":`

/** Every timestamp of a body has as many characters (years 0 to 9999). */
const anyTimestamp = '2026-01-01T00:00:00.000Z'
