// npm run release: the files of a release, in release/ or where `--to` says (docs/releasing.md).
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from '../run.ts'
import { lockedPackages } from './licences.ts'

const root = join(import.meta.dirname, '../..')
const { values: flags } = parseArgs({ options: { to: { type: 'string', default: join(root, 'release') } } })
const target = resolve(flags.to)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** @returns what a command printed. @throws that, when it fails. */
const outputOf = async (command: string, args: readonly string[]): Promise<string> => {
  const { isOk, output } = await run(command, args, { quiet: true })
  if (!isOk) throw new Error(`${command} ${args.join(' ')}: ${output}`)
  return output
}

interface Bill {
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/**
 * CycloneDX: what runs in the server, by package-lock.json. `npm sbom --omit dev` leaves out what development needs as well
 * (npm 11.19), so all of it is asked for, and what is only for development is taken out here.
 */
const writeBillOfMaterials = async (): Promise<void> => {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel=error']
  const bill = JSON.parse(await outputOf('npm', args)) as Bill
  const shipped = new Set(
    lockedPackages(root)
      .filter((one) => !one.isDevelopment)
      .map((one) => `${one.name}@${one.version}`),
  )
  const components = bill.components.filter(({ name, version: its }) => shipped.has(`${name}@${its}`))
  const refs = new Set(components.map((one) => one['bom-ref']))
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === `waybill@${version}`)
    .map(({ dependsOn = [], ...one }) => ({ ...one, dependsOn: dependsOn.filter((ref) => refs.has(ref)) }))
  writeFileSync(
    join(target, `waybill-${version}.cdx.json`),
    JSON.stringify({ ...bill, components, dependencies }, null, 1),
  )
}

/** The licences of what runs in the server, in their words. Those of what is bundled into the console are in console/dist/licences.md. */
const writeLicences = (): void => {
  const texts = lockedPackages(root)
    .filter(({ isDevelopment }) => !isDevelopment)
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, version: its, licence }) => `${name} ${its}: ${licence}\n\n${textOf(name)}`)
  writeFileSync(join(target, `waybill-${version}-licences.txt`), texts.join(`\n${'-'.repeat(100)}\n`))
}

const textOf = (name: string): string => {
  const folder = join(root, 'node_modules', name)
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    : []
  return (
    files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n') ||
    '(The package has no text of it.)'
  )
}

const writeChecksums = (): void => {
  const files = readdirSync(target).filter((file) => file !== 'SHA256SUMS')
  const lines = files.map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(target, file)))
        .digest('hex')}  ${file}`,
  )
  writeFileSync(join(target, 'SHA256SUMS'), `${lines.join('\n')}\n`)
}

mkdirSync(target, { recursive: true })
const source = join(target, `waybill-${version}.tar.gz`)
await outputOf('git', [
  'archive',
  '--format=tar.gz',
  `--prefix=${basename(source, '.tar.gz')}/`,
  `--output=${source}`,
  'HEAD',
])
await outputOf('node', ['--disable-warning=ExperimentalWarning', 'tools/sdk/pack.ts', '--to', target])
await writeBillOfMaterials()
writeLicences()
writeChecksums()
for (const file of readdirSync(target)) console.log(join(target, file))
