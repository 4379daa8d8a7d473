import { parseArgs } from 'node:util'
import type { Engine } from '#platform/db/database.ts'
import { brokers } from './brokers.ts'
import { claimCost } from './claim.ts'
import { consoleInBrowser } from './console.ts'
import { deliveryAmongOthers, deliveryLatency, deliveryThroughput } from './delivery.ts'
import { endpointsFigures } from './endpoints.ts'
import { errorReports } from './error-reports.ts'
import { exports } from './exports.ts'
import { fairness } from './fairness.ts'
import { report, type Figure } from './figure.ts'
import { http, steadyLoad } from './http.ts'
import { ingest } from './ingest.ts'
import { largeLists } from './lists.ts'
import { deliveryLog } from './log.ts'
import { quotations } from './quotations.ts'
import { scaled, setScale } from './scale.ts'
import { space } from './space.ts'
import { spreadsheets } from './spreadsheets.ts'
import { start } from './start.ts'
import { workers } from './workers.ts'

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string' }, engine: { type: 'string' } },
})
const engines = (['postgres', 'pglite'] as const).filter((name) => name === (values.engine ?? name))
const onEach = async (suite: (name: Engine) => Promise<Figure[]>): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const name of engines) figures.push(...(await suite(name)))
  return figures
}

/** Each suite measures some figures of the design. `npm run bench` runs all, `npm run bench -- delivery` one, `--scale 0.05` a small one, `--engine pglite` those of one database. */
const suites: Record<string, () => Promise<Figure[]>> = {
  delivery: () =>
    onEach(async (name) => [
      await deliveryThroughput(name),
      await deliveryAmongOthers(name),
      ...(await deliveryLatency(name)),
    ]),
  fairness: () => onEach(fairness),
  brokers,
  claim: claimCost,
  ingest: () => onEach(async (name) => [await ingest(name)]),
  http: () => onEach(http),
  'http-long': () => steadyLoad('pglite', scaled(600, 10)),
  log: deliveryLog,
  lists: largeLists,
  'error-reports': errorReports,
  quotations,
  exports,
  spreadsheets,
  console: consoleInBrowser,
  start: () => onEach(start),
  workers,
  space,
  endpoints: endpointsFigures,
}

setScale(Number(values.scale ?? 1))
const unknown = wanted.filter((name) => suites[name] === undefined)
if (unknown.length > 0) {
  console.error(`No such figures: ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}
if (engines.length === 0) throw new Error('The engines are postgres and pglite.')
const figures: Figure[] = []
for (const [name, suite] of Object.entries(suites))
  if (wanted.length === 0 || wanted.includes(name)) figures.push(...(await suite()))
report(figures)
