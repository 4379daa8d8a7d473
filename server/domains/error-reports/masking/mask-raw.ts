import { Buffer } from 'node:buffer'
import { readPlain, replaceIn, writeOut } from './escapes.ts'
import { looseFinders } from './loose-secrets.ts'
import { findNamed } from './named-secrets.ts'
import { type Finder } from './replacements.ts'

/** Bytes of UTF-8 that are kept of a request or an answer, the mark included (contract, section 6). */
export const keptBytes = 65_536

/**
 * How much of a text is looked at, in UTF-16 units, and how much of the end of that is left out, masked: a secret that goes
 * on behind it could not be told there. A mask can be longer than what it replaces, at most five times as long, so
 * at least a fifth of this is always looked at and never shown.
 */
const margin = keptBytes / 2
const lookedAt = keptBytes + margin

/**
 * What is stored of a request or an answer that somebody reports, whatever its form: secrets are replaced by `***`
 * (contract, section 6: credentials, and card numbers), and what is too long is cut on the border of a character with a
 * mark that says how much is missing. The same again changes nothing. Takes time in proportion to the length, and no
 * more for what is longer than can be kept.
 */
export const maskRaw = (text: string): string => {
  if (text.length <= lookedAt) return cutToBytes(maskAll(text, false), 0)
  const masked = maskAll(text.slice(0, lookedAt), true)
  const shown = masked.slice(0, Math.max(0, masked.length - margin))
  return cutToBytes(shown, Buffer.byteLength(masked.slice(shown.length)) + Buffer.byteLength(text.slice(lookedAt)))
}

const maskAll = (text: string, isCut: boolean): string => {
  const finders: readonly Finder[] = [(plain) => findNamed(plain, isCut), ...looseFinders]
  return writeOut(finders.reduce((read, find) => replaceIn(read, find(read.plain)), readPlain(text)))
}

/** Cuts a text so that it has, with the mark at its end, at most the bytes that are kept. @param more bytes missing behind it. */
const cutToBytes = (text: string, more: number): string => {
  const size = Buffer.byteLength(text)
  if (size <= keptBytes && more === 0) return text
  const bytes = Buffer.from(text)
  let end = Math.min(size, keptBytes - Buffer.byteLength(markOf(size + more)))
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end) + markOf(size + more - end)
}

const markOf = (missing: number): string => `\n[cut: ${missing} bytes are missing]`
