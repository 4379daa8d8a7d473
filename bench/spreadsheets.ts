import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TableFormat } from '#platform/spreadsheets/table-file.ts'
import { median, type Figure } from './figure.ts'
import { scaled } from './scale.ts'
import type { TableCost } from './write-table.ts'

const runs = 3
const run = promisify(execFile)

/** Files of tables, each written by a process of its own, beside the bare bytes of their rows. */
export const spreadsheets = async (): Promise<Figure[]> => [
  ...(await rate('csv', '≥ 100,000/s', '≤ 150 MB')),
  ...(await rate('xlsx', '≥ 25,000/s', '≤ 200 MB')),
  ...(await xls()),
]

const rate = async (format: TableFormat, reach: string, memoryReach: string): Promise<Figure[]> => {
  const rows = scaled(1_000_000, 1000)
  const { file, bare } = await costs(format, rows)
  const name = `${format}, ${rows} rows`
  return [
    { name, unit: '/s', value: rows / file.seconds, limit: rows / bare.seconds, reach },
    { name: `${name}: more memory`, unit: 'MB', value: file.megabytes, reach: memoryReach },
  ]
}

const xls = async (): Promise<Figure[]> => {
  const rows = scaled(65_000, 1000)
  const { file, bare } = await costs('xls', rows)
  const name = `xls, ${rows} rows`
  return [
    { name, unit: 's', value: file.seconds, limit: bare.seconds, reach: '≤ 5 s' },
    {
      name: `${name}: more memory`,
      unit: 'MB',
      value: file.megabytes,
      reach: 'none of its own',
    },
    {
      name: `${name}: longest wait of others`,
      unit: 'ms',
      value: file.blockedMs,
      limit: bare.blockedMs,
      reach: '≤ 50 ms',
    },
  ]
}

const costs = async (format: TableFormat, rows: number): Promise<{ file: TableCost; bare: TableCost }> => ({
  file: await medianCost(format, rows),
  bare: await medianCost('bytes', rows),
})

const medianCost = async (format: TableFormat | 'bytes', rows: number): Promise<TableCost> => {
  const seen: TableCost[] = []
  // The first warms up.
  for (let done = 0; done <= runs; done += 1) {
    const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', join(import.meta.dirname, 'write-table.ts')]
    const { stdout } = await run(process.execPath, [...args, format, String(rows)])
    if (done > 0) seen.push(JSON.parse(stdout) as TableCost)
  }
  const medianOf = (part: keyof TableCost): number => median(seen.map((cost) => cost[part]))
  return { seconds: medianOf('seconds'), megabytes: medianOf('megabytes'), blockedMs: medianOf('blockedMs') }
}
