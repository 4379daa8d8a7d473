import { parseArgs } from 'node:util'
import { claimCost } from './claim.ts'
import { deliveryLatency, deliveryThroughput } from './delivery.ts'
import { errorReports } from './error-reports.ts'
import { exports } from './exports.ts'
import { fairness } from './fairness.ts'
import { report, type Figure } from './figure.ts'
import { ingest } from './ingest.ts'
import { quotations } from './quotations.ts'
import { setScale } from './scale.ts'
import { spreadsheets } from './spreadsheets.ts'
import { start } from './start.ts'

/** Each suite measures some figures of the design. `npm run bench` runs all, `npm run bench -- delivery` one, `--scale 0.05` a small one. */
const suites: Record<string, () => Promise<Figure[]>> = {
  delivery: async () => [
    await deliveryThroughput('postgres'),
    await deliveryThroughput('pglite'),
    ...(await deliveryLatency('postgres')),
    ...(await deliveryLatency('pglite')),
  ],
  fairness: async () => [...(await fairness('postgres')), ...(await fairness('pglite'))],
  claim: claimCost,
  ingest: async () => [await ingest('postgres'), await ingest('pglite')],
  'error-reports': errorReports,
  quotations,
  exports,
  spreadsheets,
  start: async () => [...(await start('postgres')), ...(await start('pglite'))],
}

const { positionals: wanted, values } = parseArgs({ allowPositionals: true, options: { scale: { type: 'string' } } })
setScale(Number(values.scale ?? 1))
const unknown = wanted.filter((name) => suites[name] === undefined)
if (unknown.length > 0) {
  console.error(`No such figures: ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}
const figures: Figure[] = []
for (const [name, suite] of Object.entries(suites))
  if (wanted.length === 0 || wanted.includes(name)) figures.push(...(await suite()))
report(figures)
