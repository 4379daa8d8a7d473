import type { ByteRange } from '../storage/object-store.ts'

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
