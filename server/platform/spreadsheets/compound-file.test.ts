import { expect, test } from 'vitest'
import { compoundFile, maxStreamBytes, sectorBytes } from './compound-file.ts'

const endOfChain = 0xff_ff_ff_fe

test.each([1, 4096, 4097, 7_000_000, 7_200_000, 300_000_000, maxStreamBytes])(
  'the sectors of a stream of %i bytes are all found, in their order',
  (bytes) => {
    const { header, trailer } = compoundFile(bytes)
    const end = bytes + trailer.length
    const sector = (at: number): Buffer => {
      const from = at * sectorBytes - bytes
      expect(from).toBeGreaterThanOrEqual(0)
      return trailer.subarray(from, from + sectorBytes)
    }
    const entries = (buffer: Buffer): number[] =>
      Array.from({ length: buffer.length / 4 }, (_, index) => buffer.readUInt32LE(4 * index))

    const listed = entries(header.subarray(76))
    let lists = 0
    for (let at = header.readUInt32LE(68); at !== endOfChain; lists += 1) {
      const list = entries(sector(at))
      at = list.pop() ?? endOfChain
      listed.push(...list)
    }
    expect(lists).toBe(header.readUInt32LE(72))
    const tableAt = listed.filter((at) => at !== 0xff_ff_ff_ff)
    expect(tableAt).toHaveLength(header.readUInt32LE(44))
    const table = Buffer.concat(tableAt.map(sector))
    const wanted = Math.ceil(Math.max(bytes, 4096) / sectorBytes)
    const wrong = entries(table.subarray(0, 4 * (wanted - 1))).findIndex((next, at) => next !== at + 1)
    expect(wrong).toBe(-1)
    expect(table.readUInt32LE(4 * (wanted - 1))).toBe(endOfChain)
    expect(new Set(tableAt.map((at) => table.readUInt32LE(4 * at)))).toEqual(new Set([0xff_ff_ff_fd]))
    expect(table.length / 4).toBeGreaterThanOrEqual(end / sectorBytes)
    expect(end % sectorBytes).toBe(0)
    expect(sector(header.readUInt32LE(48)).toString('utf16le')).toMatch(/^Root Entry[^]*Workbook/)
  },
)
