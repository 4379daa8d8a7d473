/** What the deliveries of an event send (contract, section 5). Made once; every attempt sends these bytes. */
export const bodyOf = (type: string, occurredAt: Date, data: unknown): string =>
  JSON.stringify({ type, timestamp: occurredAt.toISOString(), data })
