import type { ContentType } from '#events/content-types.ts'

/** Something for one subscription alone: a test of it, or data that is sent through it. */
export type Message = MessageAbout & (DataMessage | ContentMessage)

interface MessageAbout {
  /** Somebody tries the subscription out: its deliveries say so in a header. */
  readonly isTest?: true
  /** Type of the event, in the log and for the receiver. Need not be in the catalogue: nobody subscribes to it. */
  readonly type: string
  readonly scope: string
  readonly object: { readonly type: ContentType; readonly id: number | string }
}

/** Sent as every event is, in the envelope of the subscription (contract, section 5). */
interface DataMessage {
  readonly data: unknown
  readonly content?: undefined
}

/** Sent as it is, byte for byte. */
interface ContentMessage {
  readonly content: {
    /** Value of `content-type`; see `isMediaType`. */
    readonly mediaType: string
    /** At most `maxContentBytes`. */
    readonly bytes: Uint8Array
  }
  readonly data?: undefined
}

/** 1 MiB, as much as a request to this server may bring (contract, section 1). */
export const maxContentBytes = 1_048_576

const maxMediaTypeCharacters = 255
const token = String.raw`[\w!#$%&'*+.^\`|~-]+`
const quoted = String.raw`"(?:[\t !#-[\]-~]|\\[\t -~])*"`
const mediaType = new RegExp(String.raw`^${token}/${token}(?:[\t ]*;(?:[\t ]*${token}=(?:${token}|${quoted}))?)*$`)

/** Whether a text is a media type with parameters (RFC 9110, section 8.3.1), in ASCII and not longer than 255 characters. */
export const isMediaType = (text: string): boolean => text.length <= maxMediaTypeCharacters && mediaType.test(text)
