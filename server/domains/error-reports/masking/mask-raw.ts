import { Buffer } from 'node:buffer'
import { maskCards } from './card-numbers.ts'
import { maskLoose } from './loose-secrets.ts'
import { maskNamed } from './named-secrets.ts'

/** Bytes of UTF-8 that are kept of a request or an answer, the mark included (contract, section 6). */
export const keptBytes = 65_536

/**
 * What is stored of a request or an answer that somebody reports, whatever its form: secrets are replaced by `***`
 * (contract, section 6: credentials, and card numbers), and what is too long is cut on the border of a character with a
 * mark that says how much is missing. The same again changes nothing. Takes time in proportion to the length.
 */
export const maskRaw = (text: string): string => cutToBytes(maskCards(maskLoose(maskNamed(text))), keptBytes)

/** Cuts a text so that it has, with the mark at its end, at most so many bytes of UTF-8. */
const cutToBytes = (text: string, most: number): string => {
  const size = Buffer.byteLength(text)
  if (size <= most) return text
  const bytes = Buffer.from(text)
  const markBytes = Buffer.byteLength(markOf(size))
  let end = most - markBytes
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end) + markOf(size - end)
}

const markOf = (missing: number): string => `\n[cut: ${missing} bytes are missing]`
