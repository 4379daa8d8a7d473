import type { ByteRange } from '../storage/object-store.ts'

/**
 * `Content-Disposition` of a file to be saved under a name (RFC 6266). A name that ASCII does not hold is there twice: as it is
 * (RFC 8187), and for what does not read that, with `_` in place of each character that does not fit.
 */
export const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^ !#-[\]-~]/gu, '_')
  const quoted = `attachment; filename="${plain}"`
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encoded(name)}`
}

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * What a `Range` header asks for of so many bytes (RFC 9110, section 14.2). Whatever is not one range of bytes is not looked
 * at, as the RFC allows: several ranges, other units, and what nobody understands.
 */
export const readRange = (header: string | undefined, bytes: number): ByteRange | 'whole' | 'unsatisfiable' => {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') return lastBytes(Number(last), bytes)
  const start = Number(first)
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last)
  if (end < start) return 'whole'
  return start >= bytes ? 'unsatisfiable' : { start, end: Math.min(end, bytes - 1) }
}

const lastBytes = (count: number, bytes: number): ByteRange | 'unsatisfiable' =>
  count === 0 || bytes === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - count), end: bytes - 1 }
