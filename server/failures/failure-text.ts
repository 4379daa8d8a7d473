import { isBrokerUrl } from '#delivery/outbound/broker/broker-url.ts'
import { originOf } from '#delivery/outbound/origin-of.ts'
import { inEnvelope } from '#delivery/tables/envelope.ts'
import type { FailedDelivery, FailedEvent, LastFailure } from './failed-deliveries-store.ts'
import type { FailedSubject } from './subjects.ts'

/**
 * What a report says of a failed delivery. Of the URL only the origin: the rest may be a secret, and is stored encrypted.
 * Credentials in headers, and what an answer repeats of the URL, are masked in the log that they come from; in bodies they
 * are not yet.
 * @param url of its target; undefined when it cannot be read.
 */
export const failureText = (
  { event, last }: FailedDelivery,
  { what, isConfidential }: Pick<FailedSubject, 'what' | 'isConfidential'>,
  url: string | undefined,
) => {
  const origin = url === undefined ? 'an unknown address' : originOf(url)
  const verb = url !== undefined && isBrokerUrl(url) ? 'PUBLISH' : 'POST'
  return {
    errorCode: last.reason,
    errorDesc: `${what} to ${origin} failed`,
    rawRequest: joined(
      `${verb} ${origin}`,
      last.requestHeaders,
      isConfidential ? confidential : contentText(event, last),
    ),
    rawResponse: answerText(isConfidential ? { ...last, responseHeaders: null, responseBody: null } : last),
  }
}

const confidential = '[the body is for the members of the project: see the delivery]'

/** First line, headers, an empty line, body. */
const joined = (first: string, headers: Readonly<Record<string, string>> | null, body: string | null): string => {
  const lines = [first, ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)]
  return [...lines, ...(body === null || body === '' ? [] : ['', body])].join('\n')
}

const contentText = (event: FailedEvent | undefined, { requestHeaders }: LastFailure): string => {
  if (event === undefined) return '[the event is not kept any more]'
  const { content } = event
  if (content.kind === 'raw') return `[${content.mediaType}, ${content.bytes} bytes]`
  const { text, bytes } = content
  const webhookId = requestHeaders?.['webhook-id'] ?? ''
  const sent = inEnvelope(text, { envelope: event.envelope, eventType: event.type, webhookId })
  const readBytes = Buffer.byteLength(text)
  return readBytes === bytes ? sent : `[the first ${readBytes} of ${bytes} bytes]\n${sent}`
}

const answerText = ({ responseStatus, responseHeaders, responseBody, reason, detail }: LastFailure): string => {
  if (responseStatus !== null) return joined(`HTTP ${responseStatus}`, responseHeaders, responseBody)
  return detail === null ? reason : `${reason}: ${detail}`
}
