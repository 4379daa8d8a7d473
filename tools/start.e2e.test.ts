import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// `npm start` of this project, in a directory whose server only says what reaches it, and whose
// pinned Node.js is a script that runs the one of this test, so that an install takes no network.

let root = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-start-'))
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    scripts: object
  }
  const node = { version: '1.0.0', bin: { node: 'node' } }
  const project = { name: 'started', version: '1.0.0', devDependencies: { node: `file:${join(root, 'pinned')}` } }
  write('package.json', { ...project, type: 'module', scripts })
  write('package-lock.json', {
    ...project,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': project,
      pinned: { name: 'node', dev: true, ...node },
      'node_modules/node': { resolved: 'pinned', link: true },
    },
  })
  write('pinned/package.json', { name: 'node', ...node })
  write('pinned/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  chmodSync(join(root, 'pinned/node'), 0o755)
  write('server/main.ts', server)
  for (const name of ['prepare.mjs', 'stamps.mjs']) cpSync(join(import.meta.dirname, name), join(root, 'tools', name))
})
beforeEach(() => rmSync(join(root, 'node_modules'), { recursive: true, force: true }))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const server = `
const [mode, status]: string[] = process.argv.slice(2)
process.on('SIGTERM', () => { console.log('SIGTERM'); setTimeout(() => process.exit(Number(status)), 300) })
console.log('up', JSON.stringify(process.argv.slice(2)))
if (mode === 'stay') setInterval(() => undefined, 1000)
else process.exit(Number(status))
`

const installLine = 'waybill: installing dependencies (npm ci), once…'

test('installs before the first start, and again when package-lock.json has changed; passes arguments and the exit status on', async () => {
  const first = await ended(start('go', '7', 'two words'))
  expect(first).toEqual({ status: 7, lines: [installLine, 'up ["go","7","two words"]'] })
  const second = await ended(start('go', '0'))
  expect(second).toEqual({ status: 0, lines: ['up ["go","0"]'] })
  appendFileSync(join(root, 'package-lock.json'), '\n')
  expect((await ended(start('go', '0'))).lines).toContain(installLine)
})

const production = { NODE_ENV: 'production' }

test('in production nothing for development is installed, and a Node.js of 24 or newer runs the server', async () => {
  const machine = { ...production, PATH: `${dirname(process.execPath)}:${pathWithoutPinned()}` }
  const first = await ended(startIn(machine, 'go', '7'))
  expect(first).toEqual({ status: 7, lines: [installLine, 'up ["go","7"]'] })
  expect(existsSync(join(root, 'node_modules/node'))).toBe(false)
  expect(realpathSync(join(root, 'node_modules/.bin/node'))).toBe(realpathSync(process.execPath))
  expect(await ended(startIn(machine, 'go', '0'))).toEqual({ status: 0, lines: ['up ["go","0"]'] })
  // For development all of it is installed after all.
  expect((await ended(start('go', '0'))).lines).toEqual([installLine, 'up ["go","0"]'])
  expect(existsSync(join(root, 'node_modules/node'))).toBe(true)
})

test('in production an older Node.js installs the pinned one by itself', async () => {
  // It says so of itself: the machine that runs this test may have no older one.
  write('old.cjs', "Object.defineProperty(process.versions, 'node', { value: '20.19.0' })")
  const machine = { ...production, PATH: `${dirname(process.execPath)}:${pathWithoutPinned()}` }
  const old = { ...machine, NODE_OPTIONS: `--require=${join(root, 'old.cjs')}` }
  const { status, lines } = await ended(startIn(old, 'go', '7'))
  expect({ status, last: lines.at(-1) }).toEqual({ status: 7, last: 'up ["go","7"]' })
  expect(existsSync(join(root, 'node_modules/node'))).toBe(false)
  expect(realpathSync(join(root, 'node_modules/.bin/node'))).toBe(realpathSync(join(root, 'pinned/node')))
  expect((await ended(startIn(old, 'go', '0'))).lines).toEqual(['up ["go","0"]'])
})

test('two first starts at once install once, and both start', async () => {
  const both = await Promise.all([ended(start('go', '1')), ended(start('go', '2'))])
  expect(both.map(({ status }) => status)).toEqual([1, 2])
  expect(both.flatMap(({ lines }) => lines).filter((line) => line === installLine)).toHaveLength(1)
})

test('an install that was killed half-way is done again', async () => {
  // As it was left: files but no stamp, and a lock of processes that are no more.
  const dead = spawn('true')
  await once(dead, 'exit')
  write('node_modules/half/index.js', '')
  write('.install-lock', String(dead.pid))
  expect(await ended(start('go', '0'))).toEqual({ status: 0, lines: [installLine, 'up ["go","0"]'] })
  expect(existsSync(join(root, '.install-lock'))).toBe(false)
  expect(existsSync(join(root, 'node_modules/half'))).toBe(false)
})

test('a failed install says why, and leaves nothing that looks installed', async () => {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  write('package-lock.json', 'not a lock file')
  const { status, lines } = await ended(start('go', '0'))
  write('package-lock.json', lock)
  expect(status).toBe(1)
  expect(lines.at(-1)).toBe('waybill: npm ci failed (1)')
  expect(existsSync(join(root, 'node_modules/.waybill-stamp'))).toBe(false)
})

describe('the console', () => {
  const buildLine = 'waybill: building the console, once…'
  const build = `
import { mkdirSync } from 'node:fs'
import { consoleBuild as build, wantedStamp, writeStamp } from './stamps.mjs'
console.log('what a build says is not shown')
mkdirSync(build.folder, { recursive: true })
writeStamp(build.folder, wantedStamp(build))
`
  beforeEach(() => {
    write('console/index.html', '<p>')
    write('tools/build-console.mjs', build)
  })
  afterEach(() => rmSync(join(root, 'console'), { recursive: true, force: true }))
  const linesOf = async (npm: ChildProcess) => (await ended(npm)).lines.filter((line) => line !== installLine)

  test('is built before the first start, and again when its sources have changed', async () => {
    const up = 'up ["go","0"]'
    expect(await linesOf(start('go', '0'))).toEqual([buildLine, up])
    write('console/src/api/generated/schema.d.ts', 'made from others')
    write('console/dist/assets/main.js', 'made from others')
    expect(await linesOf(start('go', '0'))).toEqual([up])
    write('console/src/main.ts', 'one')
    expect(await linesOf(start('go', '0'))).toEqual([buildLine, up])
    write('console/src/main.ts', 'two')
    expect(await linesOf(start('go', '0'))).toEqual([buildLine, up])
    rmSync(join(root, 'console/src/main.ts'))
    expect(await linesOf(start('go', '0'))).toEqual([buildLine, up])
  })

  test('is built once by two starts', async () => {
    const both = await Promise.all([linesOf(start('go', '1')), linesOf(start('go', '2'))])
    expect(both.flat().toSorted()).toEqual(['up ["go","1"]', 'up ["go","2"]', buildLine])
  })

  test('and the guide are built together', async () => {
    const other = build.replace('consoleBuild', 'guideBuild').replace('./stamps', '../tools/stamps')
    write('guide/main.mjs', other)
    write('docs/README.md', '# Documents')
    const guideLine = buildLine.replace('console', 'guide')
    expect(await linesOf(start('go', '0'))).toEqual([buildLine, guideLine, 'up ["go","0"]'])
    write('docs/README.md', '# Others')
    expect(await linesOf(start('go', '0'))).toEqual([guideLine, 'up ["go","0"]'])
    expect(await linesOf(start('go', '0'))).toEqual(['up ["go","0"]'])
    rmSync(join(root, 'guide'), { recursive: true })
  })

  test('that cannot be built keeps nobody from the server', async () => {
    write('tools/build-console.mjs', 'process.exit(3)')
    const [first, second, last] = await linesOf(start('go', '0'))
    expect([first, last]).toEqual([buildLine, 'up ["go","0"]'])
    expect(second).toContain('could not be built')
  })

  test('is not built in production, which lacks what it takes, but says what to do', async () => {
    const machine = { ...production, PATH: `${dirname(process.execPath)}:${pathWithoutPinned()}` }
    const [advice, up] = await linesOf(startIn(machine, 'go', '0'))
    expect(advice).toContain('the console is not built: run `npm ci --include=dev && npm run build`')
    expect(up).toBe('up ["go","0"]')
    expect(await linesOf(start('go', '0'))).toContain(buildLine)
    expect(await linesOf(startIn(machine, 'go', '0'))).toEqual(['up ["go","0"]'])
    write('console/src/main.ts', 'newer')
    expect((await linesOf(startIn(machine, 'go', '0')))[0]).toContain('other sources')
  })
})

test('SIGTERM to npm reaches the server once, which then decides the exit status', async () => {
  const npm = start('stay', '5')
  const end = ended(npm)
  await said(npm, 'up')
  npm.kill('SIGTERM')
  const { status, lines } = await end
  expect(status).toBe(5)
  expect(lines.filter((line) => line === 'SIGTERM')).toHaveLength(1)
})

const write = (file: string, content: string | object): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}

/** As a user has it: without the pinned Node.js, which `npm test` puts there. */
const pathWithoutPinned = (): string =>
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((entry) => !entry.endsWith('node_modules/.bin'))
    .join(':')

const start = (...args: string[]): ChildProcess => startIn({}, ...args)

const startIn = (environment: Readonly<Record<string, string>>, ...args: string[]): ChildProcess => {
  const { NODE_ENV: _, ...own } = process.env
  const env = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('npm_')))
  const all = { ...env, PATH: pathWithoutPinned(), ...environment }
  return spawn('npm', ['start', '--silent', '--', ...args], { cwd: root, env: all })
}

const ended = async (npm: ChildProcess): Promise<{ status: unknown; lines: string[] }> => {
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [status] = await once(npm, 'close')
  return { status, lines: output.split('\n').filter((line) => line !== '') }
}

const said = (npm: ChildProcess, text: string): Promise<void> =>
  new Promise((resolve) => {
    npm.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(text)) resolve()
    })
  })
