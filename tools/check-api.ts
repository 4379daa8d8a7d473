// npm run check:api: docs/openapi.json by linters, by clients that are generated of it, and by requests made up of it.
// `--thorough` also makes up requests at random for a minute more; `--seed 7` makes up others.
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orderManagementEvents } from '#events/order-management.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { makeWorld } from './api/make-world.ts'
import { openapiFile } from './openapi-document.ts'
import { run } from './run.ts'

const root = join(import.meta.dirname, '..')
const here = join(root, 'tools/api')
const spec = join(root, openapiFile)
/** Outside of the project, whose checks look into every folder. All steps run in it, for some write beside themselves. */
const scratch = mkdtempSync(join(tmpdir(), 'waybill-api-'))
const work = join(scratch, 'clients')
const python = join(scratch, 'python')
const { values: flags } = parseArgs({
  options: { thorough: { type: 'boolean' }, seed: { type: 'string', default: '1' } },
})

/** Runs a step to its end; what it prints is shown when it fails. @throws when it fails. */
const step = async (name: string, command: string, args: readonly string[], env: Record<string, string> = {}) => {
  const begunAt = Date.now()
  const { isOk, output } = await run(command, args, { quiet: true, env, directory: scratch })
  console.log(`${isOk ? '✓' : '✗'} ${name} (${((Date.now() - begunAt) / 1000).toFixed(0)} s)`)
  if (!isOk) throw new Error(output)
}
const installed = (name: string): string => join(scratch, 'node_modules/.bin', name)
const ofPython = (name: string): string => join(python, 'bin', name)

const installPackages = async (): Promise<void> => {
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(here, file), join(scratch, file))
  await step('npm packages', 'npm', ['ci', '--prefix', scratch, '--loglevel=error', '--no-audit', '--no-fund'])
}

const installPython = async (): Promise<void> => {
  if (!(await run('python3', ['-c', 'import venv, ensurepip'], { quiet: true })).isOk) {
    throw new Error('Python 3 with venv is missing (Debian: python3-venv). The Python client and schemathesis need it.')
  }
  await step('Python environment', 'python3', ['-m', 'venv', python])
  await step('Python packages', ofPython('pip'), [
    'install',
    '-q',
    '--no-compile',
    '-r',
    join(here, 'requirements.txt'),
  ])
}

const lint = async (): Promise<void> => {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const redocly = ['lint', spec, '--config', join(here, 'redocly.yaml'), '--max-problems', '20', '--format', 'stylish']
  const { output } = await run(installed('redocly'), redocly, { quiet: true, env: quiet })
  // Warnings do not make it fail by themselves.
  if (/\d+ (warnings?|errors?)/.test(output)) throw new Error(output)
  console.log('✓ Redocly')
  await step('Spectral', installed('spectral'), [
    'lint',
    spec,
    '--ruleset',
    join(here, 'spectral.yaml'),
    '--fail-severity',
    'hint',
  ])
}

/** Makes the clients of TypeScript and compiles programs that use them. */
const generateTypeScript = async (): Promise<void> => {
  for (const name of ['fetch.ts', 'sdk.ts']) cpSync(join(here, 'clients', `${name}.txt`), join(work, name))
  // Beside the packages, where the generator looks how imports are written.
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    skipLibCheck: true,
    rootDir: 'clients',
    outDir: 'clients/out',
  }
  writeFileSync(
    join(scratch, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['clients/fetch.ts', 'clients/sdk.ts'] }),
  )
  writeFileSync(join(work, 'package.json'), '{"type": "module"}')
  await step('openapi-typescript', installed('openapi-typescript'), [spec, '--output', join(work, 'schema.ts')])
  const heyApi = ['--input', spec, '--output', 'clients/sdk', '--client', '@hey-api/client-fetch']
  await step('@hey-api/openapi-ts', installed('openapi-ts'), heyApi)
  await step('TypeScript clients compile', installed('tsc'), ['--project', scratch])
}

const generatePython = async (): Promise<void> => {
  cpSync(join(here, 'clients/client.py'), join(work, 'client.py'))
  await step('openapi-python-client', ofPython('openapi-python-client'), [
    'generate',
    '--path',
    spec,
    '--meta',
    'none',
    '--output-path',
    join(work, 'waybill_client'),
    '--overwrite',
    '--config',
    join(here, 'python-client.yaml'),
    '--fail-on-warning',
  ])
}

/** The Python SDK, installed as its README says, with its tests and its example. */
const checkPythonSdk = async (): Promise<void> => {
  await step('SDKs', 'node', ['--disable-warning=ExperimentalWarning', join(root, 'tools/sdk/main.ts')])
  const source = join(scratch, 'sdk')
  cpSync(join(root, 'sdk/python'), source, { recursive: true })
  await step('the Python SDK installs', ofPython('pip'), ['install', '-q', '--no-compile', '--no-deps', source])
  const checked = ['tests', 'examples'].map((folder) => join(source, folder))
  await step('mypy --strict', ofPython('mypy'), [
    '--strict',
    '--cache-dir',
    join(scratch, 'mypy'),
    join(source, 'src'),
    ...checked,
  ])
}

const administrator = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery staple' }

const logIn = async (origin: string): Promise<string> => {
  const answer = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: administrator.ADMIN_EMAIL, password: administrator.ADMIN_PASSWORD }),
  })
  return ((await answer.json()) as { key: string }).key
}

/** Runs work against a server of its own. @param use gets the origin and the token of a superuser. @throws when the server logs an error. */
const withServer = async (name: string, use: (origin: string, token: string) => Promise<void>): Promise<void> => {
  const directory = join(scratch, name)
  mkdirSync(directory, { mode: 0o700 })
  const server = await startServer({ ...administrator, DATA_DIR: directory, LOG_LEVEL: 'error' }, directory, {
    flags: ['--disable-warning=ExperimentalWarning'],
  })
  try {
    await use(server.origin, await logIn(server.origin))
    if (server.errors.length > 0) throw new Error(`The server logged:\n${server.errors.join('\n')}`)
  } finally {
    await server.stop()
  }
}

/** The generated clients subscribe, raise an event, and read the log. */
const tryClients = async (origin: string, token: string): Promise<void> => {
  const arrived = new Set<string | undefined>()
  const receiver = createServer((request, response) => {
    arrived.add(request.url)
    request.resume()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    const { port } = receiver.address() as AddressInfo
    const env = {
      SERVER: origin,
      TOKEN: token,
      RECEIVER: `http://127.0.0.1:${port}`,
      EVENT: JSON.stringify(orderManagementEvents['package.created'].example),
    }
    await step('openapi-fetch talks to the server', 'node', [join(work, 'out/fetch.js')], env)
    await step('@hey-api talks to the server', 'node', [join(work, 'out/sdk.js')], env)
    await step('Python talks to the server', ofPython('python'), [join(work, 'client.py')], env)
    for (let waits = 0; arrived.size < 3 && waits < 600; waits += 1) await new Promise((done) => setTimeout(done, 100))
    if (arrived.size < 3) throw new Error(`Deliveries arrived at ${[...arrived].join(', ') || 'no hook'} only.`)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}

/** Sends requests that schemathesis makes up of the description. @param operations which ones, as its options. */
const makeUpRequests = async (name: string, origin: string, key: string, operations: readonly string[]) =>
  step(`${name}, seed ${flags.seed}`, ofPython('schemathesis'), [
    '--config-file',
    join(here, 'schemathesis.toml'),
    'run',
    `${origin}/openapi.json`,
    '--header',
    `Authorization: Token ${key}`,
    '--checks',
    'all',
    '--phases',
    flags.thorough ? 'examples,coverage,fuzzing' : 'examples,coverage',
    '--max-examples',
    '20',
    '--workers',
    '1',
    '--suppress-health-check',
    'all',
    '--seed',
    flags.seed,
    ...operations,
  ])

/** Which operations are tried together, as options of schemathesis. Each part has a server and a world of its own. */
const parts = {
  // Readiness fails while there is no worker; a stream does not end.
  reads: ['--include-method', 'GET', ...['readiness', 'streamChanges'].flatMap((id) => ['--exclude-operation-id', id])],
  // A change of a user can end the login; so does logging out.
  changes: ['--exclude-method', 'GET', '--exclude-operation-id', 'updateUser', '--exclude-operation-id', 'logout'],
  users: ['--include-operation-id', 'updateUser'],
}

const tryMadeUpRequests = async (part: keyof typeof parts): Promise<void> =>
  withServer(part, async (origin, token) => {
    const key = await makeWorld(origin, token)
    await makeUpRequests(`schemathesis, ${part}`, origin, key, parts[part])
    const me = await fetch(`${origin}/api/v1/auth/me`, { headers: { authorization: `Token ${key}` } })
    if (!me.ok)
      throw new Error('A made-up request ended the login, so those after it were refused without being looked at.')
  })

if (!existsSync(spec)) throw new Error(`${openapiFile} is missing: npm run openapi writes it.`)
mkdirSync(work, { recursive: true })
const packages = installPackages()
const pythonPackages = installPython()
// Schemathesis takes longest, and one of it uses one core.
const checks = [
  pythonPackages.then(() => tryMadeUpRequests('changes')),
  pythonPackages.then(() => tryMadeUpRequests('reads')).then(() => tryMadeUpRequests('users')),
  Promise.all([packages.then(generateTypeScript), pythonPackages.then(generatePython)]).then(() =>
    withServer('server-of-clients', tryClients),
  ),
  packages.then(lint),
  pythonPackages.then(checkPythonSdk),
]
try {
  // One that fails does not hide what the others find.
  const outcomes = await Promise.allSettled(checks)
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue
    console.error(outcome.reason instanceof Error ? outcome.reason.message : outcome.reason)
    process.exitCode = 1
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
}
