// npm run audit: what the registry knows of the dependencies to be unsafe. An advisory that does not concern Waybill stands in
// audit-exceptions.json, by its address, with the reason.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from '../run.ts'

interface Advisory {
  readonly url: string
  readonly title: string
  readonly severity: string
}
interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (Advisory | string)[] }>>
}

const { values: flags } = parseArgs({
  options: {
    registry: { type: 'string' },
    exceptions: { type: 'string', default: join(import.meta.dirname, 'audit-exceptions.json') },
  },
})
const exceptions = JSON.parse(readFileSync(flags.exceptions, 'utf8')) as Readonly<Record<string, string>>
const registry = flags.registry === undefined ? [] : ['--registry', flags.registry]
const { output } = await run('npm', ['audit', '--json', '--loglevel=silent', ...registry], { quiet: true })
const { vulnerabilities } = JSON.parse(output) as Report
if (vulnerabilities === undefined) {
  console.log('The registry answers no audit: try again with one that does (--registry https://…).')
  process.exit(2)
}

const advisories = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
  via.flatMap((one) => (typeof one === 'string' ? [] : [{ name, ...one }])),
)
const open = advisories.filter(({ url }) => exceptions[url] === undefined)
const stale = Object.keys(exceptions).filter((url) => !advisories.some((one) => one.url === url))
for (const { name, severity, title, url } of open) console.log(`${name}: ${severity}: ${title} (${url})`)
for (const url of stale) console.log(`no advisory any more, so no exception: ${url}`)
console.log(`${open.length} advisories, ${advisories.length - open.length} with a reason why not`)
process.exitCode = open.length + stale.length > 0 ? 1 : 0
