// node bench/write-table.ts csv|xls|xlsx|bytes ROWS: writes one file, and says as JSON what it cost.
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { tableFormats, type TableColumn } from '#platform/spreadsheets/table-file.ts'
import { writeTableFile } from '#platform/spreadsheets/write-table-file.ts'

export interface TableCost {
  readonly seconds: number
  /** By which the process grew at most. */
  readonly megabytes: number
  /** The longest that anything else in the process had to wait. */
  readonly blockedMs: number
}

const columns: readonly TableColumn[] = [
  { name: 'id', type: 'number' },
  { name: 'number', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'total_amount', type: 'number' },
  { name: 'created_at', type: 'time' },
  { name: 'modified_at', type: 'time' },
  { name: 'note', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'user', type: 'text' },
  { name: 'batch_no', type: 'number' },
  { name: 'phone_number', type: 'text' },
]

/** As `COPY` writes them, about 150 bytes each. */
const row = (index: number): string => {
  const at = (from: number): string => new Date(from + index * 1000).toISOString()
  const name = `"Quotation of ${index % 977} things, ""big"" ones"`
  const times = `${at(1_700_000_000_000)},${at(1_710_000_000_000)}`
  const note = index % 3 === 0 ? `ünder ${index}` : ''
  const rest = `sent,user${index % 500}@example.com,${index % 7},+90 555 ${index}`
  return `${index},Q-${100_000 + index},${name},${(index * 1.37).toFixed(2)},${times},${note},${rest}\n`
}

/** Made before the clock starts, and again and again from the beginning when more are wanted. */
const distinctRows = 65_000

async function* rowsFrom(blocks: readonly Buffer[], rows: number): AsyncGenerator<Buffer> {
  for (let left = rows, next = 0; left > 0; left -= rowsInBlock, next += 1) {
    const block = blocks[next % blocks.length]
    if (block === undefined) throw new Error('There is no block.')
    yield block
    // As bytes of a socket come.
    await new Promise(setImmediate)
  }
}
const rowsInBlock = 500

const writeBytes = async (path: string, rows: AsyncIterable<Buffer>): Promise<void> => {
  const file = await open(path, 'w')
  for await (const block of rows) await file.write(block)
  await file.sync()
  await file.close()
}

const [wanted, count] = process.argv.slice(2)
const rowCount = Math.ceil(Number(count) / rowsInBlock) * rowsInBlock
const directory = mkdtempSync(join(tmpdir(), 'waybill-bench-table-'))
const path = join(directory, 'table')
const blocks = Array.from({ length: distinctRows / rowsInBlock }, (_, block) =>
  Buffer.from(Array.from({ length: rowsInBlock }, (_row, index) => row(block * rowsInBlock + index)).join('')),
)
globalThis.gc?.()
const before = process.memoryUsage.rss()
let most = before
const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const startedAt = performance.now()
const format = tableFormats.find((name) => name === wanted)
const rows = rowsFrom(blocks, rowCount)
const signal = new AbortController().signal
if (format === undefined) await writeBytes(path, rows)
else await writeTableFile({ format, columns, rows, path, signal, onProgress: () => undefined })
const seconds = (performance.now() - startedAt) / 1000
delay.disable()
clearInterval(sampling)
rmSync(directory, { recursive: true })
const cost: TableCost = { seconds, megabytes: (most - before) / 1e6, blockedMs: delay.max / 1e6 }
console.log(JSON.stringify(cost))
