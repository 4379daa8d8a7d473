import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { allScopes, type Scope } from '#platform/auth/principal.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makePeople, type TestPerson } from '#testing/make-people.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const receiver = await makeReceiver()
const testApp = await makeTestApp({
  environment: {
    MAX_ATTEMPTS: '1',
    ENDPOINT_FAILING_AFTER: '1000',
    COMMERCE_CONNECTOR: 'http',
    COMMERCE_URL: `${receiver.url}/orders`,
    COMMERCE_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
})
const { app, call, superuser, services, database } = testApp
const quotations = makeApprovedQuotations(database.db)
const people = makePeople(testApp)
const { projectUrl, callAs, people: members } = await makeProjects(testApp)
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())
beforeEach(() => receiver.answer({ status: 500, body: '{"error":"no stock"}' }))

type Headers = Readonly<Record<string, string>>
interface Wire {
  readonly id: number
  readonly group: number
  readonly is_retryable: boolean
  readonly action_object_id: number
}
const base = '/api/v1/error_reports/'

/** Resolves with the newest open report of such an action, after it has come. */
const reportAfter = async (query: string, make: () => Promise<unknown>): Promise<Wire> => {
  const path = `${base}?${query}&is_ok=false&limit=1`
  const newest = async () => (await call('GET', path)).json<Wire[]>()[0]
  const before = (await newest())?.id ?? 0
  await make()
  return vi.waitFor(
    async () => {
      const report = await newest()
      expect(report?.id ?? 0).toBeGreaterThan(before)
      return report as Wire
    },
    { timeout: 15_000, interval: 25 },
  )
}

let made = 0
const failed = {
  order: () =>
    reportAfter('action_content_type=order', async () => {
      const { id } = await quotations.quotation()
      await call('POST', `/api/v1/quotations/${id}/create-orders/`, {})
    }),
  hook: () =>
    reportAfter('target_content_type=webhook', async () => {
      const hook = { event_type: 'stock_location.created', target_url: `${receiver.url}/${++made}` }
      const { id } = (await call('POST', '/whisperer/hooks/', hook)).json<{ id: number }>()
      await call('POST', '/api/v1/stock_locations/', { code: `L-${++made}`, name: 'Main', kind: 'warehouse' })
      await eventually(async () => {
        expect((await call('GET', `/whisperer/hook_events/?webhook=${id}`)).json()).toHaveLength(1)
      })
      afterwards.push(() => call('PATCH', `/whisperer/hooks/${id}/`, { event_type: 'package.created' }))
    }),
  project: () =>
    reportAfter('target_content_type=webhook', async () => {
      const webhook = { name: `CI ${++made}`, events: ['deployment.build.created'], url: `${receiver.url}/${made}` }
      const { headers } = await callAs('developer', `POST ${projectUrl}/settings/webhooks`, webhook)
      await callAs('developer', `POST ${projectUrl}/deployments`, {
        type: 'build',
        platform: 'android',
        environment: 'production',
      })
      afterwards.push(() =>
        callAs('developer', `PATCH ${new URL(String(headers.location)).pathname}`, { events: ['webhook.ping'] }),
      )
    }),
  flow: () =>
    reportAfter('target_content_type=flow', async () => {
      const flow = { direction: 'outbound', name: `ERP ${++made}`, target: `${receiver.url}/${made}` }
      const { id } = (await call('POST', '/api/nifi/flows', flow)).json<{ id: number }>()
      await app.inject({
        method: 'POST',
        url: `/api/nifi/flows/${id}/data`,
        payload: Buffer.from('a;b'),
        headers: { authorization: superuser.authorization, 'content-type': 'text/csv' },
      })
    }),
}
type Kind = keyof typeof failed
const afterwards: (() => Promise<unknown>)[] = []

const staff = await people.person({ is_staff: true })
const admin = await people.person({ is_superuser: true })
/** A developer of the project who is staff too. */
const developer = members.developer
await call('PATCH', `/api/v1/users/${developer.id}/`, { is_staff: true })

const loginOf = (person: TestPerson): Promise<Headers> => people.authorization(person)
const keyOf = async (person: TestPerson, ...scopes: Scope[]): Promise<Headers> => {
  const answer = await call('POST', '/api/v1/auth/api-keys/', { name: 'x', scopes }, await loginOf(person))
  return { authorization: answer.json<{ key: string }>().key }
}
const needed: Readonly<Record<Kind, Scope | undefined>> = {
  order: 'quotations:write',
  hook: 'hooks:write',
  project: 'projects:write',
  flow: undefined,
}
const write = 'error-reports:write'
const others = (kind: Kind): Scope[] => allScopes.filter((scope) => scope !== needed[kind])
const withNeeded = (kind: Kind): Scope[] => [write, ...(needed[kind] === undefined ? [] : [needed[kind]])]

/** Who may, and who may not, have each kind tried again. */
const callers: Readonly<Record<string, (kind: Kind) => Promise<Headers>>> = {
  superuser: () => loginOf(admin),
  'a key of a superuser for reports alone': () => keyOf(admin, write),
  'a key of a superuser with all scopes but the needed one': (kind) => keyOf(admin, ...others(kind)),
  'a key of a superuser with the needed scope': (kind) => keyOf(admin, ...withNeeded(kind)),
  staff: () => loginOf(staff),
  'a key of staff for reports alone': () => keyOf(staff, write),
  'a key of staff with the needed scope': (kind) => keyOf(staff, ...withNeeded(kind)),
  'staff who develop the project': () => loginOf(developer),
}
const may: Readonly<Record<Kind, readonly string[]>> = {
  order: ['superuser', 'a key of a superuser with the needed scope'],
  hook: [
    'superuser',
    'a key of a superuser with the needed scope',
    'staff',
    'a key of staff with the needed scope',
    'staff who develop the project',
  ],
  project: ['superuser', 'a key of a superuser with the needed scope', 'staff who develop the project'],
  flow: ['superuser', 'staff', 'staff who develop the project'],
}

describe.each(Object.keys(failed) as Kind[])('what failed of the kind %s', (kind) => {
  test('is tried again, alone and with its group, for those who may do so where that is done by itself', async () => {
    const report = await failed[kind]()
    const group = `/api/v1/error_report_groups/${report.group}`
    const answers: Record<string, unknown> = {}
    // Those who may not come first: a retry of the others changes what there is to try.
    const names = Object.keys(callers).toSorted((a, b) => Number(may[kind].includes(a)) - Number(may[kind].includes(b)))
    for (const name of names) {
      const headers = (await callers[name]?.(kind)) ?? {}
      const { is_retryable: isRetryable } = (await call('GET', `${base}${report.id}/`, undefined, headers)).json<Wire>()
      const all = (await call('POST', `${group}/retry_all/`, {}, headers)).json<Record<string, number>>()
      const one = await call('POST', `${base}${report.id}/retry/`, {}, headers)
      answers[name] = [isRetryable, all['started'] === 1, all['not_allowed'] === 1, one.statusCode]
    }
    const expected = names.map((name) => {
      const isAllowed = may[kind].includes(name)
      return [name, [isAllowed, isAllowed, !isAllowed, isAllowed ? 202 : 403]]
    })
    expect(answers).toEqual(Object.fromEntries(expected))
    receiver.answer({ status: 200, body: '{"number":"S-1"}' })
    await call('POST', `${base}${report.id}/retry/`, {}, await loginOf(admin))
    for (const undo of afterwards.splice(0)) await undo()
  })
})

test('an order that is tried again by its report is written into the audit of its quotation, with who asked', async () => {
  const report = await failed.order()
  const { target_object_id: quotation } = (await call('GET', `${base}${report.id}/`)).json<{
    target_object_id: string
  }>()
  const headers = await loginOf(admin)
  const auditOf = async () =>
    (await call('GET', `/api/v1/quotations/${quotation}/audit/`)).json<{ results: Record<string, unknown>[] }>().results
  const before = (await auditOf()).length
  const asked = await call('POST', `${base}${report.id}/retry/`, {}, { ...headers, 'x-request-id': 'asked-by-report' })
  expect(asked.statusCode).toBe(202)
  const audit = await auditOf()
  expect(audit).toHaveLength(before + 1)
  expect(audit.at(-1)).toMatchObject({ action: 'create-orders', user: admin.id, actor: 'super', surface: 'admin' })
  expect(audit.at(-1)?.['after']).toEqual({ made: 0, retried: 1 })
  expect((await call('GET', `${base}${report.id}/`)).json()).toMatchObject({ retry_count: 1 })
})
