import type { Secrets } from '../secrets/secrets.ts'
import type { Content } from './content.ts'
import { receiverKeys, standardSignatures, whispererSignature, type ReceiverKeys } from './signing.ts'
import { isBrokerUrl } from '../outbound/broker/broker-url.ts'
import { isCredentialHeader, mask } from '../subscriber/mask.ts'
import type { Subscription } from '../subscriber/subscription.ts'
import { urlSecrets } from './url-secrets.ts'

/** One delivery, as its headers describe it. */
export interface Outgoing extends Content {
  readonly webhookId: string
  readonly eventType: string
  /** Number of the event among those of its object. */
  readonly sequence: number | null
  /** Somebody tries the subscription out. */
  readonly isTest?: boolean
}

/** A subscription with its keys prepared: what stays the same for all of its deliveries. */
export interface Receiver extends Omit<Subscription, 'eventTypes'> {
  readonly keys: ReceiverKeys | null
  /** What its answers must not show of its URL. */
  readonly urlSecrets: readonly string[]
  readonly isBroker: boolean
}

export const prepareReceiver = ({
  privateKey = null,
  previous = [],
  ...subscription
}: Omit<Subscription, 'eventTypes'> & Partial<Secrets>): Receiver => ({
  ...subscription,
  keys: receiverKeys({ ...subscription, privateKey, previous }),
  urlSecrets: urlSecrets(subscription.url),
  isBroker: isBrokerUrl(subscription.url),
})

/** Names a custom header may not have: the delivery's own, and those that belong to the connection. */
const reservedNames = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'content-type',
  'user-agent',
  'accept-encoding',
])
export const reservedPrefixes = ['webhook-', 'x-whisperer-', 'x-waybill-']

/** Whether a custom header would collide with what every delivery carries (contract, sections 3 and 5). */
export const isReservedHeader = (name: string): boolean => {
  const lower = name.toLowerCase()
  return reservedNames.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))
}

/**
 * The headers of one attempt (contract, section 5), names in lower case.
 * @param at when the attempt starts; its second goes into the signature.
 */
export const requestHeaders = (
  receiver: Receiver,
  outgoing: Outgoing,
  at: Date,
  userAgent: string,
): Record<string, string> => {
  const { webhookId, eventType, sequence, isTest = false, contentType, body } = outgoing
  const headers: Record<string, string> = {
    'content-type': contentType,
    'user-agent': userAgent,
    // What is kept of an answer is not unpacked. A broker has none.
    ...(receiver.isBroker ? undefined : { 'accept-encoding': 'identity' }),
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  }
  // The object in a test is an example: its number would be taken for that of the object with the same id.
  if (isTest) headers['x-waybill-test'] = 'true'
  else if (sequence !== null) headers['x-waybill-sequence'] = String(sequence)
  const { keys } = receiver
  if (keys !== null) headers['webhook-signature'] = standardSignatures(keys.standard, webhookId, at, body)
  if (receiver.dialect === 'whisperer') {
    headers['x-whisperer-event'] = eventType
    if (keys?.whisperer) headers['x-whisperer-signature'] = whispererSignature(keys.whisperer, body)
  }
  for (const [name, value] of Object.entries(receiver.headers ?? {})) {
    if (!isReservedHeader(name)) headers[name.toLowerCase()] = value
  }
  return headers
}

/**
 * The headers as the attempts log keeps them: our own without the signatures, of all others the names
 * alone. A subscriber may put a credential under any name, and the log is not encrypted.
 */
export const loggedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isOpen(name) ? value : mask]))

/** The values that nobody may learn from an answer: signatures, and credentials as far as a header's name shows. */
export const secretValues = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (isCredentialHeader(name) ? [value] : []))

const isOpen = (name: string): boolean => isReservedHeader(name) && !name.includes('signature')
