import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { DeflateHere } from './deflate-here.ts'

test('what it makes of any chunks inflates to the same bytes', async () => {
  const repeated = Buffer.from('<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(3000))
  for (const chunks of [[], [''], ['a'], [repeated, repeated, randomBytes(100_000), 'b', repeated]]) {
    const bytes = chunks.map((chunk) => Buffer.from(chunk))
    const deflated = await buffer(ReadableStream.from(bytes).pipeThrough(new DeflateHere('deflate-raw')))
    expect(inflateRawSync(deflated).equals(Buffer.concat(bytes))).toBe(true)
  }
})

test('a chunk is made smaller by what came before it', async () => {
  const noise = randomBytes(20_000)
  const deflated = await buffer(ReadableStream.from([noise, noise, noise]).pipeThrough(new DeflateHere('deflate-raw')))
  expect(deflated.length).toBeLessThan(21_000)
})
