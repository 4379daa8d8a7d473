import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findProgram } from '#testing/processes/find-program.ts'
import { projectRoot, readDocument } from './markdown.ts'

const rules = readDocument('deploy/prometheus/alerts.yml')
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)
const linesOf = (field: string): string[] =>
  [...rules.matchAll(new RegExp(`^ +${field}: (.+)$`, 'gm'))].map(([, value = '']) => value)

describe('each alert', () => {
  test('has a paragraph in the page about operating, which it links to', () => {
    const page = readDocument('docs/operating.md')
    expect(alerts.length).toBeGreaterThan(10)
    expect(linesOf('runbook_url')).toEqual(alerts.map((name) => `docs/operating.md#${name.toLowerCase()}`))
    const documented = [...page.matchAll(/^### (Waybill\w+)\n\n\w/gm)].map(([, name]) => name)
    expect(documented).toEqual(alerts)
  })

  test('says in a sentence what is wrong, what that means and what to do next', () => {
    for (const field of ['summary', 'description', 'next_step']) expect(linesOf(field)).toHaveLength(alerts.length)
    expect(linesOf('severity').filter((severity) => !['page', 'ticket'].includes(severity))).toEqual([])
  })

  test('is tried with figures that make it fire, and with some that do not', () => {
    const cases = readDocument('deploy/prometheus/alerts.test.yml')
    const names = [...cases.matchAll(/^ +- name: (.+)$/gm)].map(([, name]) => name)
    expect(names).toEqual(alerts.flatMap((name) => [`${name} fires`, `${name} stays quiet`]))
    const results = [...cases.matchAll(/alertname="(\w+)".*\n.*\n +exp_samples:( \[\])?/g)]
    expect(results.map(([, name, none]) => [name, none === undefined])).toEqual(
      alerts.flatMap((name) => [
        [name, true],
        [name, false],
      ]),
    )
  })
})

describe.skipIf(findProgram('promtool') === undefined)('promtool', () => {
  const promtool = (...args: string[]): string => {
    const cwd = join(projectRoot, 'deploy/prometheus')
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd, encoding: 'utf8' })
    return status === 0 ? 'well' : stdout + stderr
  }

  test('finds nothing wrong with rules and configuration', () => {
    expect(promtool('check', 'config', '--lint-fatal', 'prometheus.yml')).toBe('well')
  })

  test('sees each alert fire when it should, and only then', () => {
    expect(promtool('test', 'rules', 'alerts.test.yml')).toBe('well')
  })
})
