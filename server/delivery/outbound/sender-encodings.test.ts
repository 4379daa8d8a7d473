import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { makeReceiver } from '#testing/receiver.ts'
import { seededRandom } from '#testing/seeded-random.ts'
import { makeGuard } from './guard/guard.ts'
import { makeSender, type HttpResult } from './sender.ts'

const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
const receiver = await makeReceiver()
const sender = makeSender({ guard, exchangeTimeoutMs: 5_000 })
afterAll(() => sender.close())

const answered = (coding: string, body: Buffer, status = 200): Promise<HttpResult> => {
  receiver.answer({ status, headers: { 'content-encoding': coding }, body })
  return sender.send({ url: receiver.url, headers: { 'accept-encoding': 'identity' }, body: '{}' })
}

/** Ten times as fast as the quality by default, which is the best. */
const packBrotli = (plain: Buffer): Buffer =>
  brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })

const text = JSON.stringify({ message: 'ışık 🎁', rows: Array.from({ length: 200 }, (_, id) => ({ id })) })
const bytes = Buffer.from(text)
const random = seededRandom(1)
/** Does not get much smaller by packing it. */
const noise = Buffer.from(Array.from({ length: 200_000 }, () => 32 + Math.floor(random() * 95)))

describe('an answer in a coding that nobody asked for', () => {
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(bytes)],
    ['GZIP', gzipSync(bytes)],
    ['x-gzip', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['br', packBrotli(bytes)],
    ['zstd', zstdCompressSync(bytes)],
    ['identity', bytes],
    ['gzip, identity', gzipSync(bytes)],
    ['br, gzip', gzipSync(packBrotli(bytes))],
    ['zstd,deflate,gzip', gzipSync(deflateSync(zstdCompressSync(bytes)))],
  ])('is understood: %s', async (coding, body) => {
    const result = await answered(coding, body)
    expect(result).toMatchObject({ reason: 'response', status: 200, body: text })
    // The evidence says how it came.
    expect(result.headers).toMatchObject({ 'content-encoding': coding })
  })

  test('is understood: deflate without the header of zlib', async () => {
    expect(await answered('deflate', deflateRawSync(bytes))).toMatchObject({ body: text })
  })

  test('is understood: gzip of several parts, and with something behind it', async () => {
    const parts = Buffer.concat([gzipSync('one, '), gzipSync('two')])
    expect(await answered('gzip', parts)).toMatchObject({ body: 'one, two' })
    expect(await answered('gzip', Buffer.concat([gzipSync(bytes), Buffer.alloc(100)]))).toMatchObject({ body: text })
  })

  test('may have no body', async () => {
    expect(await answered('gzip', Buffer.alloc(0), 204)).toMatchObject({ reason: 'response', status: 204, body: '' })
    expect(await answered('gzip', Buffer.alloc(0))).toMatchObject({ reason: 'response', status: 200, body: '' })
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', packBrotli],
    ['zstd', zstdCompressSync],
  ])('is decoded as far as it was read: %s', async (coding, pack) => {
    const packed = pack(noise)
    expect(packed.length).toBeGreaterThan(70_000)
    const { reason, status, body } = await answered(coding, packed)
    expect({ reason, status }).toEqual({ reason: 'response', status: 200 })
    // A block of zstd is 128 KiB, and nothing without its end.
    expect(body?.length).toBeGreaterThan(coding === 'zstd' ? -1 : 60_000)
    expect(noise.toString('latin1').startsWith(body ?? '-')).toBe(true)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', packBrotli],
    ['zstd', zstdCompressSync],
  ])('that stops in the middle is decoded up to there: %s', async (coding, pack) => {
    const packed = pack(noise)
    receiver.answer({ headers: { 'content-encoding': coding }, body: packed.subarray(0, 40_000), instead: 'stall' })
    const impatient = makeSender({ guard, exchangeTimeoutMs: 200 })
    afterAll(() => impatient.close())
    const { reason, body } = await impatient.send({ url: receiver.url, headers: {}, body: '{}' })
    expect(reason).toBe('timeout')
    expect(noise.toString('latin1').startsWith(body ?? '-')).toBe(true)
    expect(body === '').toBe(coding === 'zstd')
  })
})

describe('an answer that is not what it says it is', () => {
  test.each<[string, string, Buffer]>([
    ['is not packed at all', 'gzip', bytes],
    ['is not packed at all', 'br', bytes],
    ['is not packed at all', 'zstd', bytes],
    ['is not packed at all', 'deflate', bytes],
    ['is packed in another way', 'br', gzipSync(bytes)],
    ['is packed once and not twice', 'gzip, gzip', gzipSync(bytes)],
    [
      'breaks in the middle',
      'gzip',
      Buffer.concat([gzipSync(noise.subarray(0, 9_000)).subarray(0, 5_000), Buffer.alloc(50, 0xff)]),
    ],
    ['has a coding of its own', 'x-own', bytes],
    ['has the coding of an object of JavaScript', 'constructor', bytes],
    ['is packed more often than anybody does', 'gzip,gzip,gzip,gzip', gzipSync(gzipSync(gzipSync(gzipSync(bytes))))],
  ])('because it %s (%s) is kept as it came, and stays a success', async (_, coding, body) => {
    const result = await answered(coding, body, 202)
    expect(result).toMatchObject({ reason: 'response', status: 202 })
    expect(result.body).toBe(body.toString('utf8').replaceAll('\0', '\uFFFD'))
  })
})

describe('a bomb', () => {
  /** Half a million blocks that each stand for 128 KiB of one letter (RFC 8878, section 3.1.1.2.2): 2 GB in 64 KB. */
  const zstdBomb = Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]),
    Buffer.alloc(16_000 * 4, Buffer.from([0x02, 0x00, 0x10, 0x7a])),
  ])

  const million = gzipSync(Buffer.alloc(1_000_000, 'z'), { level: 1 })

  test.each<[string, Buffer]>([
    ['zstd', zstdBomb],
    ['gzip', gzipSync(Buffer.alloc(50_000_000, 'z'))],
    ['br', packBrotli(Buffer.alloc(20_000_000, 'z'))],
    ['gzip, gzip', gzipSync(Buffer.concat(Array.from({ length: 2_000 }, () => million)))],
  ])('of %s costs 64 KiB and no memory', async (coding, body) => {
    expect(body.length).toBeLessThan(65_536)
    const before = process.memoryUsage().rss
    const result = await answered(coding, body)
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
    expect(result).toMatchObject({ reason: 'response', status: 200, body: 'z'.repeat(65_536) })
  })

  test('that wants 128 MiB of memory for its window is kept as it came', async () => {
    const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x03, 0x00, 0x10, 0x7a])
    expect((await answered('zstd', wide)).body).toBe(wide.toString('utf8').replaceAll('\0', '\uFFFD'))
  })
})
