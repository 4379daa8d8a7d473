import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { findProgram } from '#testing/processes/find-program.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { freePort } from './free-port.ts'
import { projectRoot, readDocument } from './markdown.ts'

// A real Prometheus that scrapes a real server, with the rules and the dashboard that operators get.

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] }
}
interface Rule {
  readonly name: string
  readonly query: string
  readonly health: string
  readonly state: string
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}

const dashboard = JSON.parse(readDocument('deploy/grafana/waybill.json')) as Dashboard
/** As Grafana fills in its variables. */
const filledIn = (expression: string): string =>
  expression.replaceAll('$job', 'waybill').replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5s')
const shown = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, filledIn(expr)] as const),
)

/** What shows nothing in the first seconds of a server that is well. */
const notYet = [
  'Answers with 5xx a second',
  'Jobs a second',
  'Tries of orders a second',
  'Tries of orders a second',
  'Exports of the last day',
  'Weeks kept too long',
]

describe.skipIf(findProgram('prometheus') === undefined)('Prometheus beside a server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'waybill-monitoring-'))
  const ending: (() => Promise<unknown>)[] = []
  let [metrics, prometheus] = ['', '']
  const ask = async (path: string): Promise<unknown> => (await fetch(`${prometheus}/api/v1/${path}`)).json()
  const query = async (expression: string): Promise<Answer> =>
    (await ask(`query?query=${encodeURIComponent(expression)}`)) as Answer
  const rules = async (): Promise<readonly Rule[]> => {
    const { data } = (await ask('rules')) as { data: { groups: readonly { rules: readonly Rule[] }[] } }
    return data.groups.flatMap((group) => group.rules)
  }

  beforeAll(async () => {
    const data = join(directory, 'data')
    installDatabase(data)
    const server = await startServer({ DATA_DIR: data, LOG_LEVEL: 'warn', ADMIN_EMAIL: 'a@b.test' }, directory)
    ending.push(server.stop)
    const { host } = new URL(server.origin)
    cpSync(join(projectRoot, 'deploy/prometheus'), directory, { recursive: true })
    const configuration = readDocument('deploy/prometheus/prometheus.yml')
      .replaceAll('15s', '1s')
      .replace('127.0.0.1:4000', host)
    writeFileSync(join(directory, 'prometheus.yml'), configuration)
    const port = await freePort()
    prometheus = `http://127.0.0.1:${port}`
    const flags = ['--config.file=prometheus.yml', '--storage.tsdb.path=kept', `--web.listen-address=127.0.0.1:${port}`]
    const child = spawn('prometheus', flags, { cwd: directory, stdio: 'ignore' })
    ending.push(async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    for (const name of ['up', 'waybill_error_reports', 'waybill_invariant_checked_at', 'waybill_deliveries_due'])
      await eventually(async () => {
        if ((await query(name)).data.result.length === 0) throw new Error(`Prometheus has no ${name}.`)
      })
    metrics = await (await fetch(`${server.origin}/metrics`)).text()
  })
  afterAll(async () => {
    for (const end of ending) await end()
    rmSync(directory, { recursive: true, force: true })
  })

  test('answers every query of the dashboard with figures', async () => {
    expect(shown.length).toBeGreaterThan(30)
    const answers = () => Promise.all(shown.map(async ([title, text]) => ({ title, text, ...(await query(text)) })))
    expect((await answers()).filter(({ status }) => status !== 'success')).toEqual([])
    const empty = async () => (await answers()).filter(({ data }) => data.result.length === 0)
    await expect.poll(async () => (await empty()).map(({ title }) => title)).toEqual(notYet)
  })

  test('works out every alert, and none is up for a server that is well', async () => {
    await expect.poll(async () => (await rules()).filter(({ health }) => health === 'ok').length).toBeGreaterThan(10)
    await expect.poll(async () => (await rules()).filter(({ health }) => health !== 'ok')).toEqual([])
    const up = (await rules()).filter(({ state }) => state === 'firing').map(({ name }) => name)
    expect(up).toEqual([])
  })

  test('is asked only for metrics that the server has', async () => {
    const texts = [...shown.map(([, text]) => text), ...(await rules()).map(({ query: text }) => text)]
    const names = new Set(texts.flatMap((text) => [...text.matchAll(/\bwaybill_\w+/g)].map(([name]) => name)))
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
    const isKnown = (name: string): boolean => known.has(name) || known.has(name.replace(/_(?:bucket|sum|count)$/, ''))
    expect(names.size).toBeGreaterThan(20)
    expect([...names].filter((name) => !isKnown(name))).toEqual([])
  })
})
