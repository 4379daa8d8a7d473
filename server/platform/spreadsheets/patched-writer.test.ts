import { utils, write } from '@e965/xlsx'
import { expect, test, vi } from 'vitest'

// What patches/ changes in the writer of xls. An install without it makes the same small files, at a thousand times the memory.

const book = (texts: readonly string[]) => ({
  SheetNames: ['one'],
  Sheets: { one: utils.aoa_to_sheet(texts.map((text) => [text])) },
})

test('a cell does not take a block of 16 KB', () => {
  const texts = Array.from({ length: 1000 }, (_, index) => `text ${index}`)
  let bytes = 0
  for (const method of ['alloc', 'allocUnsafe'] as const) {
    const original = Buffer[method].bind(Buffer)
    vi.spyOn(Buffer, method).mockImplementation((size: number) => {
      bytes += size
      return original(size)
    })
  }
  try {
    write(book(texts), { bookType: 'biff8', type: 'buffer', bookSST: true })
  } finally {
    vi.restoreAllMocks()
  }
  expect(bytes / texts.length).toBeLessThan(2000)
})

test('a text is looked up in the table of texts, not compared with each of them', () => {
  const texts = Array.from({ length: 1000 }, (_, index) => `text ${index}`)
  const has = vi.spyOn(Map.prototype, 'has')
  try {
    write(book(texts), { bookType: 'biff8', type: 'buffer', bookSST: true })
    expect(has.mock.calls.length).toBeGreaterThanOrEqual(texts.length)
  } finally {
    has.mockRestore()
  }
})
