import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '#platform/config.ts'
import { findProgram } from '#testing/processes/find-program.ts'
import { projectRoot, readDocument } from './markdown.ts'

// What the files of deploy/ take for granted about the server. `npm run check:deploy` looks at them as their programs do.

const dockerfile = readDocument('deploy/Dockerfile')
const unit = readDocument('deploy/systemd/waybill.service')
const compose = readDocument('deploy/compose.yaml')
const chart = readDocument('deploy/helm/waybill/Chart.yaml')
const templates = globSync('deploy/helm/waybill/templates/*.yaml', { cwd: projectRoot }).map(readDocument).join('\n')
const { version, devDependencies } = JSON.parse(readDocument('package.json')) as {
  version: string
  devDependencies: Record<string, string>
}

test('they start a program that is there, with the Node.js that is tested', () => {
  const programs = [dockerfile, unit].flatMap((text) =>
    [...text.matchAll(/\/(?:app|opt\/waybill)\/(server\/\w+\.ts)/g)].map(([, program = '']) => program),
  )
  expect(programs).toHaveLength(2)
  expect(programs.filter((program) => !existsSync(join(projectRoot, program)))).toEqual([])
  const major = devDependencies['node']?.split('.')[0]
  expect(dockerfile).toContain(`ARG BASE=docker.io/library/node:${major}-bookworm-slim`)
})

test('they set what is a setting', () => {
  const values = readDocument('deploy/helm/waybill/values.yaml')
  const set = [
    ...[...compose.matchAll(/^ +([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name),
    ...[...values.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name),
    ...[...unit.matchAll(/(?<=[ =])([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name),
    ...[...dockerfile.matchAll(/^(?:ENV| ) ?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name),
  ].filter((name) => !/^(POSTGRES_|PATH$|NODE_COMPILE_CACHE$)/.test(name))
  expect(set.length).toBeGreaterThan(10)
  expect(set.filter((name) => !settingNames.includes(name))).toEqual([])
})

test('the chart has the version of the server, its metric, and asks what the server answers', () => {
  expect(chart).toContain(`appVersion: ${version}\n`)
  expect(readDocument('deploy/helm/waybill/values.yaml')).toContain('metric: waybill_delivery_oldest_due_seconds')
  const paths = new Set([...templates.matchAll(/path: (\/\w+)/g)].map(([, path = '']) => path))
  expect([...paths].toSorted()).toEqual(['/healthz', '/metrics', '/readyz'])
})

test('nothing in them runs as root or writes to the root of its container', () => {
  expect(dockerfile).toMatch(/^USER 65532:65532$/m)
  expect(compose).toContain('read_only: true')
  expect(unit).toMatch(/^DynamicUser=yes$/m)
  expect(unit).toMatch(/^ProtectSystem=strict$/m)
})

test.skipIf(findProgram('systemd-analyze') === undefined)(
  'the unit is one that systemd reads without a complaint',
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'waybill-unit-'))
    const file = join(directory, 'waybill.service')
    writeFileSync(file, unit.replace('ExecStart=/usr/bin/node', 'ExecStart=/bin/true'))
    try {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
)
