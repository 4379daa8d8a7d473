import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '#testing/processes/find-program.ts'
import { freePort } from '../free-port.ts'
import { codeBlocks, projectRoot, readDocument, type CodeBlock } from '../markdown.ts'
import { openTerminal, runInTerminal, type Terminal, type TerminalOptions } from '../terminal.ts'
import { startSdkServer } from './sdk-server.ts'

// Does what the READMEs of the SDKs say, and runs their examples, each against one server.

const { env: address, directory } = await startSdkServer()
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const pages = { typescript: readDocument('sdk/typescript/README.md'), python: readDocument('sdk/python/README.md') }
const yours = join(directory, 'yours')
const terminals: Terminal[] = []
afterAll(async () => {
  for (const terminal of terminals) await terminal.close()
})

const blockOf = (page: string, name: string): CodeBlock =>
  codeBlocks(page).find(({ kind }) => kind.split(' ')[1] === name) ?? expect.fail(`There is no block ${name}.`)

/** Where programs run: with the pinned Node.js, the Python package, and where the server is. */
const options = (more: Record<string, string> = {}): TerminalOptions => ({
  cwd: yours,
  env: {
    ...address,
    PATH: `${join(projectRoot, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    PYTHONPATH: join(projectRoot, 'sdk/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    WAYBILL_SECRET: secret,
    ...more,
  },
})

const runLines = async (lines: string, more?: Record<string, string>): Promise<string> => {
  const terminal = openTerminal(options(more))
  terminals.push(terminal)
  return terminal.run(lines)
}

beforeAll(async () => {
  mkdirSync(yours)
  for (const page of Object.values(pages))
    for (const { kind, text } of codeBlocks(page)) {
      const file = kind.split(' ')[1] ?? ''
      if (/\.(ts|py)$/.test(file)) writeFileSync(join(yours, file), text)
    }
  writeFileSync(join(yours, 'package.json'), '{"type": "module"}')
  const pack = blockOf(pages.typescript, 'pack').text.trim()
  await runLines(`cd ${projectRoot} && ${pack} -- --to ${directory}`)
  const install = blockOf(pages.typescript, 'install').text.trim().replace('./sdk/dist', directory)
  await runLines(`${install} --offline --no-audit --no-fund`)
  // Those of whoever writes a receiver.
  for (const name of ['express', 'fastify', 'typescript', '@types'])
    if (!existsSync(join(yours, 'node_modules', name)))
      symlinkSync(join(projectRoot, 'node_modules', name), join(yours, 'node_modules', name))
  for (const name of [
    'typescript/examples/express.ts',
    'typescript/examples/fastify.ts',
    'python/examples/receiver.py',
  ])
    cpSync(join(projectRoot, 'sdk', name), join(yours, name.split('/').at(-1) ?? ''))
}, 120_000)

/** A receiver that listens; deliveries go to the address that it prints, or to the path that is named. */
const listen = async (command: string): Promise<{ readonly url: string; readonly terminal: Terminal }> => {
  const terminal = runInTerminal(`exec ${command}`, options({ PORT: String(await freePort()) }))
  terminals.push(terminal)
  await terminal.says(/listening on http/)
  return { url: /http:\S+/.exec(terminal.output())?.[0] ?? '', terminal }
}

/** Programs of the languages that are here. */
const runnable = <T extends { readonly command: string }>(programs: readonly T[]): T[] =>
  programs.filter(({ command }) => !command.startsWith('python3') || findProgram('python3') !== undefined)

const receivers = [
  { command: 'node receive.ts', send: 'node send.ts' },
  { command: 'node express.ts', send: 'node send.ts' },
  { command: 'node fastify.ts', send: 'node send.ts' },
  { command: 'python3 receiver.py', send: 'python3 send.py' },
]

describe('the SDKs, as their READMEs say', () => {
  test.each(runnable(receivers))(
    '$command takes what $send sends, and refuses what was changed',
    async ({ command, send }) => {
      const { url, terminal } = await listen(command)
      // An event of its own for each of them.
      const file = send.split(' ')[1] ?? ''
      const own = readBlock(file).replace('wms-1', command.replaceAll(/\W/g, '-'))
      writeFileSync(join(yours, file), own)
      expect(await runLines(send, { RECEIVER: url })).toBe('hook package.*, 1 accepted\n')
      await terminal.says(/package P-1 is created/)
      const forged = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'webhook-id': '1', 'webhook-signature': 'v1,AAAA' },
        body: '{"event": {"type": "package.created"}, "payload": {"number": "P-2"}}',
      })
      expect(forged.status).toBe(401)
      await terminal.says(/refused: webhook-id, webhook-timestamp or webhook-signature is missing/)
      expect(terminal.output()).not.toContain('P-2')
      await terminal.close()
    },
  )

  test.each(runnable([{ command: 'node read.ts' }, { command: 'python3 read.py' }]))(
    '$command reads the log and an error',
    async ({ command }) => {
      const output = await runLines(command)
      expect(output).toMatch(/^package\.created (delivered|pending|failed)/m)
      expect(output).toMatch(/^400 \{.*order_number/ms)
    },
  )

  test('the package for TypeScript has types for those who install it', async () => {
    const flags = '--noEmit --strict --module nodenext --target es2024 --types node --allowImportingTsExtensions'
    expect(await runLines(`tsc ${flags} send.ts read.ts receive.ts express.ts fastify.ts`)).toBe('')
  })

  test.skipIf(findProgram('python3') === undefined)('receive.py verifies', async () => {
    const program = [
      'from receive import receive',
      'from waybill import WebhookVerificationError',
      'try: receive({}, b"{}")',
      'except WebhookVerificationError as error: print(error.reason)',
    ]
    writeFileSync(join(yours, 'try-receive.py'), program.join('\n'))
    expect(await runLines('python3 try-receive.py')).toBe('headers\n')
  })

  test('the versions are those of the server', () => {
    const { version } = JSON.parse(readDocument('package.json')) as { version: string }
    expect(JSON.parse(readDocument('sdk/typescript/package.json'))).toMatchObject({ version })
    expect(readDocument('sdk/python/pyproject.toml')).toContain(`version = "${version}"`)
    expect(pages.typescript).toContain(`waybill-sdk-${version}.tgz`)
  })
})

const readBlock = (file: string): string => blockOf(file.endsWith('.ts') ? pages.typescript : pages.python, file).text
