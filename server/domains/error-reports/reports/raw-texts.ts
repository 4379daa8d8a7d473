import { Buffer } from 'node:buffer'
import { maskSecrets } from '#platform/masking/mask-secrets.ts'

/** Bytes of UTF-8 that are kept of a text, the mark included (contract, section 6). */
export const keptBytes = 65_536
/**
 * How much of a text is looked at, in UTF-16 units. Of the end of that nothing is shown: a secret that goes on behind it could not
 * be told there.
 */
const margin = 16_384
const lookedAt = keptBytes + margin

/** What is stored of a text: its secrets are masked, and what is too long is cut between two characters, with a mark. */
export const keptText = (text: string): string => {
  const masked = maskSecrets(text.slice(0, lookedAt))
  const shown = Buffer.from(text.length > lookedAt ? masked.slice(0, -margin) : masked)
  const size = Buffer.byteLength(masked) + Buffer.byteLength(text.slice(lookedAt))
  if (size <= keptBytes) return masked
  let end = Math.min(shown.length, keptBytes - Buffer.byteLength(markOf(size)))
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((shown[end] ?? 0) & 0xc0) === 0x80) end--
  return shown.toString('utf8', 0, end) + markOf(size - end)
}

const markOf = (missing: number): string => `\n[cut: ${missing} bytes are missing]`

/** Characters of a text that lists show: a page can have 1,000 reports, and each of their three texts 64 KiB. */
export const shownInLists = 4_096

/** A text as lists show it, given its beginning and how many bytes are missing behind that. */
export const shortened = (start: string | null, missing: number | null): string | null =>
  start === null || missing === null || missing === 0
    ? start
    : `${start}\n[cut in lists: the report itself has ${missing} bytes more]`

const shortenedMark = /\n\[cut in lists: the report itself has \d+ bytes more\]$/

/** Whether a text was read from a list, so that whoever sends it back does not mean to change what it was cut from. */
export const isShortened = (text: unknown): boolean => typeof text === 'string' && shortenedMark.test(text)
