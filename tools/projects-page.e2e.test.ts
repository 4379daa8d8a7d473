import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { codeBlocks, projectRoot, readDocument, tableOf } from './markdown.ts'
import { openTerminal } from './terminal.ts'

// Does what the page about projects says, line by line. Only the port is another one.

const page = readDocument('docs/projects.md')
const blocks = codeBlocks(page)
const steps = blocks.filter(({ kind }) => kind.startsWith('bash terminal-')).map(({ text }) => text)
const shown = blocks.find(({ kind }) => kind === 'text')?.text ?? ''
const directory = mkdtempSync(join(tmpdir(), 'waybill-projects-page-'))
const toClose: (() => Promise<unknown>)[] = []
const said: string[] = []

beforeAll(async () => {
  const environment = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' }
  installDatabase(join(directory, 'data'))
  const server = await startServer(environment, directory)
  toClose.push(server.stop)
  const you = openTerminal({ cwd: projectRoot })
  toClose.push(you.close)
  // A status that says no is a line that failed, here; people see it.
  await you.run('curl() { command curl --fail-with-body "$@"; }')
  for (const lines of steps.slice(1)) said.push(await you.run(lines.replaceAll('http://127.0.0.1:4000', server.origin)))
}, 60_000)

afterAll(async () => {
  for (const close of toClose.toReversed()) await close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the page about projects', () => {
  test('starts the server as the tour of the README does', () => {
    expect(codeBlocks(readDocument('README.md')).map(({ text }) => text)).toContain(steps[0])
  })

  test('takes somebody in, and shows no secret', () => {
    expect(said[1]).toMatch(/^developer\n\*{8}\n/)
    expect(said[1]).toContain("[ 'credential.ios.production.provisioningExpiration', true ]")
  })

  test('shows the answers as they are', () => {
    expect(said[2]).toBe(shown)
  })

  test('says what each target takes as the API description does', () => {
    const { components } = JSON.parse(readDocument('docs/openapi.json')) as {
      components: { schemas: { NewDistribution: { properties: { target: { description: string } } } } }
    }
    const listed = tableOf(page, 'Target', 'Takes').map(
      ([target = '', platforms = '']) => `${target} takes ${platforms}`,
    )
    expect(components.schemas.NewDistribution.properties.target.description).toBe(`${listed.join('; ')}.`)
  })
})
