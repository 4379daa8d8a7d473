import { Buffer } from 'node:buffer'
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** Codings that may be laid over one another; more is not done by anybody who means well. */
const maxCodings = 3

/** Windows of more than 8 MiB are not for the web (RFC 9659), and cost that much memory. */
const zstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

/** Streaming decoders by content coding (RFC 9110, section 8.4.1). */
const decoders: Readonly<Record<string, (bytes: Buffer) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // Meant with the header of zlib, sent by some without it.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(zstdOptions),
}

/** The codings that a body has to be freed from, the last applied first; none when there is one we cannot undo. */
export const codingsOf = (contentEncoding: string | undefined): readonly string[] => {
  if (contentEncoding === undefined) return []
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  const isKnown = codings.length <= maxCodings && codings.every((coding) => Object.hasOwn(decoders, coding))
  return isKnown ? codings.toReversed() : []
}

/**
 * Undoes content codings, as far as `max` bytes reach: a bomb costs no more than that, and a body
 * that was cut is decoded up to the cut.
 * @param codings from `codingsOf`.
 * @returns the bytes as they came when they are not what they are said to be.
 */
export const decodedBody = async (bytes: Buffer, codings: readonly string[], max: number): Promise<Buffer> => {
  let coded = bytes
  for (const coding of codings) {
    const decoder = decoders[coding]?.(coded)
    const decoded = decoder && (await decodedBy(decoder, coded, max))
    if (decoded === undefined) return bytes
    coded = decoded
  }
  return coded
}

/** A decoder that never gets the end of its input does not mind that bytes are missing. */
const decodedBy = (decoder: Transform, bytes: Buffer, max: number): Promise<Buffer | undefined> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (decoded: Buffer | undefined): void => {
      resolve(decoded)
      decoder.destroy()
    }
    decoder.on('error', () => end(undefined))
    decoder.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= max) end(Buffer.concat(chunks).subarray(0, max))
    })
    decoder.write(bytes, (error) => {
      if (error === null || error === undefined) end(Buffer.concat(chunks))
    })
  })
