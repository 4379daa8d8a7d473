// npm run sdk:pack: the TypeScript SDK as a package to install, in sdk/dist or where `--to` says.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from '../run.ts'
import './main.ts'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'sdk/typescript')
const { values: flags } = parseArgs({ options: { to: { type: 'string', default: join(root, 'sdk/dist') } } })
const target = resolve(flags.to)

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Compiled, with what it depends on beside it, so that nothing else has to be fetched. */
const lay = async (folder: string): Promise<void> => {
  const dist = join(folder, 'dist')
  const { isOk, output } = await run('tsc', ['-p', 'sdk/typescript/tsconfig.build.json', '--outDir', dist], {
    quiet: true,
  })
  if (!isOk) throw new Error(output)
  cpSync(join(source, 'src/generated/schema.d.ts'), join(dist, 'generated/schema.d.ts'))
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const manifest = manifestOf(source)
  const bundled = Object.keys(manifest.dependencies ?? {})
  for (const name of bundled) layDependency(name, folder)
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  const published = { ...manifest, exports, files: ['dist'], bundleDependencies: bundled }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(published, null, 2))
}

const layDependency = (name: string, folder: string): void => {
  const installed = join(root, 'node_modules', name)
  cpSync(installed, join(folder, 'node_modules', name), { recursive: true })
  for (const further of Object.keys(manifestOf(installed).dependencies ?? {})) layDependency(further, folder)
}

const staging = mkdtempSync(join(tmpdir(), 'waybill-pack-'))
try {
  await lay(staging)
  mkdirSync(target, { recursive: true })
  const { isOk, output } = await run('npm', ['pack', '--pack-destination', target, '--loglevel=error'], {
    quiet: true,
    directory: staging,
  })
  if (!isOk) throw new Error(output)
  console.log(join(target, output.trim()))
} finally {
  rmSync(staging, { recursive: true, force: true })
}
