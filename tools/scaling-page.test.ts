import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machineEnvironment } from '#testing/cluster/database-machine.ts'
import { projectRoot, readDocument, tableOf } from './markdown.ts'
import { needsOf } from './scaling-page.ts'

// How the files in deploy/patroni/ are run stands in server/cluster.e2e.test.ts, which runs them.

const page = readDocument('docs/scaling.md')
const numberIn = (cell = ''): number => Number(/[\d.,]+/.exec(cell)?.[0].replaceAll(',', ''))
const namesIn = (file: string): string[] =>
  [...readDocument(file).matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name).toSorted()

test('what the page calculates follows from what was measured', () => {
  const rows = new Map(
    tableOf(page, 'An event with one delivery', 'Measured').map(([name = '', value]) => [name, value]),
  )
  const cost = {
    serverMs: numberIn(rows.get('processor time of Waybill')),
    databaseMs: numberIn(rows.get('processor time of PostgreSQL')),
    walBytes: numberIn(rows.get('WAL')),
    diskBytes: numberIn(rows.get('disk')),
  }
  const shown = tableOf(
    page,
    'Deliveries a second',
    'Cores of Waybill',
    'Cores of the primary',
    'WAL',
    'Disk a day',
    '90 days',
  )
  expect(shown).toEqual([1_000, 10_000, 100_000].map((perSecond) => needsOf(perSecond, cost)))
})

test('the environment of a database machine and of HAProxy is that of the tests', () => {
  expect(namesIn('deploy/patroni/node.env')).toEqual([...machineEnvironment].toSorted())
  const asked = [...readDocument('deploy/patroni/haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
  expect(namesIn('deploy/patroni/haproxy.env')).toEqual([...new Set(asked)].toSorted())
})

test('the page names every file of deploy/patroni', () => {
  const files = globSync('*', { cwd: join(projectRoot, 'deploy/patroni') })
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter((file) => !page.includes(`../deploy/patroni/${file}`))).toEqual([])
})

test('the times of Patroni on the page are those of the file', () => {
  const file = readDocument('deploy/patroni/patroni.yml')
  const times = [...page.matchAll(/`(ttl|loop_wait|retry_timeout|wal_sender_timeout): ([\w]+)`/g)]
  expect(times.map(([, name = '']) => name).toSorted()).toEqual([
    'loop_wait',
    'retry_timeout',
    'ttl',
    'wal_sender_timeout',
  ])
  expect(times.filter(([, name, value]) => !file.includes(`${name}: ${value}\n`))).toEqual([])
})
