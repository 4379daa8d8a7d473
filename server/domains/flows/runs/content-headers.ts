import { isMediaType } from '#delivery/outbox/message.ts'
import { AppError } from '#platform/errors.ts'

/** What a request without a content type brings (RFC 9110, section 8.3). */
const unknownType = 'application/octet-stream'

/**
 * The media type that the data goes on with, as it was sent.
 * @param header value of `content-type`; undefined when there is none.
 * @throws AppError 415 for one that cannot be sent on.
 */
export const mediaTypeOf = (header: string | undefined): string => {
  if (header === undefined) return unknownType
  if (isMediaType(header)) return header
  const message = 'Content-Type is not a media type such as text/csv; charset=utf-8, of at most 255 ASCII characters.'
  throw new AppError('unsupported_media_type', 415, message)
}

/**
 * Refuses data that is packed: a delivery does not say so, and its receiver could not read it.
 * @param header value of `content-encoding`; undefined when there is none.
 * @throws AppError 415.
 */
export const refuseEncoded = (header: string | undefined): void => {
  if (/^(identity)?$/i.test(header ?? '')) return
  const message =
    'Send the data without Content-Encoding: it goes on byte for byte, and the receiver would not know how to unpack it.'
  throw new AppError('unsupported_media_type', 415, message, { headers: { 'accept-encoding': 'identity' } })
}
