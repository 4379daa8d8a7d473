import { deliveryLatency, deliveryThroughput } from './delivery.ts'
import { report, type Figure } from './figure.ts'

/** Each suite measures some figures of the design. `npm run bench` runs all, `npm run bench -- delivery` one. */
const suites: Record<string, () => Promise<Figure[]>> = {
  delivery: async () => [
    await deliveryThroughput('postgres'),
    await deliveryThroughput('pglite'),
    ...(await deliveryLatency('postgres')),
    ...(await deliveryLatency('pglite')),
  ],
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => suites[name] === undefined)
if (unknown.length > 0) {
  console.error(`No such figures: ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}
const figures: Figure[] = []
for (const [name, suite] of Object.entries(suites))
  if (wanted.length === 0 || wanted.includes(name)) figures.push(...(await suite()))
report(figures)
