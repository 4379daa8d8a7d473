import { crc32, inflateRawSync } from 'node:zlib'
import { entriesOf, UnreadableSheet } from './unfolded-size.ts'

const partSignature = 0x04034b50
const partBytes = 30

/**
 * The parts of a zip file of which the size was looked at, each as the directory says that it is: hucre does not compare the checksum
 * of a sheet. @throws UnreadableSheet when a byte of one is another one; whatever inflating says of it.
 */
export const unfoldParts = function* (bytes: Buffer): Generator<Buffer> {
  for (const at of entriesOf(bytes)) {
    const part = unfold(bytes.readUInt16LE(at + 10), foldedPart(bytes, at), bytes.readUInt32LE(at + 24))
    if (part.length !== bytes.readUInt32LE(at + 24) || crc32(part) !== bytes.readUInt32LE(at + 16))
      throw new UnreadableSheet('A part of the zip file is damaged.')
    yield part
  }
}

const foldedPart = (bytes: Buffer, at: number): Buffer => {
  const start = bytes.readUInt32LE(at + 42)
  if (start + partBytes > bytes.length || bytes.readUInt32LE(start) !== partSignature)
    throw new UnreadableSheet('The directory of the zip file is broken.')
  const from = start + partBytes + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
  return bytes.subarray(from, from + bytes.readUInt32LE(at + 20))
}

const unfold = (method: number, folded: Buffer, size: number): Buffer => {
  if (method === 0 || folded.length === 0) return folded
  if (method !== 8) throw new UnreadableSheet('A part of the zip file is not deflated.')
  return inflateRawSync(folded, { maxOutputLength: Math.max(size, 1) })
}
