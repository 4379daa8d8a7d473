import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '#testing/network/http-server.ts'
import { projectRoot, readDocument } from '../markdown.ts'
import { run } from '../run.ts'
import { lockedPackages } from './licences.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-release-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const { version } = JSON.parse(readDocument('package.json')) as { version: string }
const tool = (name: string, ...args: string[]) =>
  run('node', ['--disable-warning=ExperimentalWarning', `tools/release/${name}.ts`, ...args], { quiet: true })
const release = join(directory, 'release')
const read = (file: string): string => readFileSync(join(release, file), 'utf8')

beforeAll(async () => {
  const { isOk, output } = await tool('main', '--to', release)
  if (!isOk) throw new Error(output)
}, 120_000)

describe('the files of a release', () => {
  test('are the source, the SDK, what is in it, its licences and their sums', () => {
    const names = [
      `waybill-${version}.tar.gz`,
      `waybill-sdk-${version}.tgz`,
      `waybill-${version}.cdx.json`,
      `waybill-${version}-licences.txt`,
    ]
    expect(readdirSync(release).toSorted()).toEqual([...names, 'SHA256SUMS'].toSorted())
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: release })
    expect(read('SHA256SUMS').trim().split('\n')).toHaveLength(names.length)
  })

  test('name every package that runs in the server, by the schema of CycloneDX', () => {
    const schemas = join(projectRoot, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
    const schema = (name: string): object =>
      JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object
    const ajv = new Ajv({ strict: false })
    // By the names that this copy of them has for each other.
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
    addFormats.default(ajv)
    // Of internationalized addresses, which ajv-formats does not know.
    for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true)
    const isValid = ajv.compile(schema('bom-1.5'))
    const bill = JSON.parse(read(`waybill-${version}.cdx.json`)) as {
      components: { name: string; version: string; licenses: unknown[] }[]
    }
    isValid(bill)
    expect(isValid.errors).toBeNull()
    expect(isValid({ ...bill, components: [{ name: 'without a type' }] })).toBe(false)
    const locked = lockedPackages(projectRoot).filter(({ isDevelopment }) => !isDevelopment)
    const named = new Set(bill.components.map((one) => `${one.name}@${one.version}`))
    expect(locked.filter((one) => !named.has(`${one.name}@${one.version}`)).map(({ name }) => name)).toEqual([])
    const texts = read(`waybill-${version}-licences.txt`)
    for (const { name, version: its } of locked) expect(texts).toContain(`${name} ${its}: `)
  })
})

describe('npm run audit', () => {
  /** A registry that knows of one advisory. */
  const registry = async (): Promise<string> => {
    const advisory = {
      id: 1,
      url: 'https://example.com/GHSA-1',
      title: 'Too slow',
      severity: 'high',
      vulnerable_versions: '>=0',
    }
    const known = { name: 'hucre', versions: { '1.0.0': { name: 'hucre', version: '1.0.0' } } }
    const { port, close } = await startHttpServer(({ method }, _body, response) => {
      const advisories = { hucre: [{ ...advisory, cwe: [], cvss: { score: 7, vectorString: null } }] }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(method === 'POST' ? advisories : known))
    })
    afterAll(close)
    return `http://127.0.0.1:${port}/`
  }

  test('tells of an advisory until there is a reason why not', async () => {
    const url = await registry()
    const { isOk, output } = await tool('audit', '--registry', url)
    expect(isOk).toBe(false)
    expect(output).toContain('hucre: high: Too slow (https://example.com/GHSA-1)')
    const exceptions = join(directory, 'exceptions.json')
    writeFileSync(exceptions, '{"https://example.com/GHSA-1": "Nobody waits for it."}')
    expect(await tool('audit', '--registry', url, '--exceptions', exceptions)).toMatchObject({ isOk: true })
  })

  test('has a reason for every exception', () => {
    const exceptions = JSON.parse(readDocument('tools/release/audit-exceptions.json')) as Record<string, string>
    for (const reason of Object.values(exceptions)) expect(reason.length).toBeGreaterThan(20)
  })
})
