import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer, type ServerProcess } from '#testing/processes/server-process.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

// A collector of the test's own, servers as operators start them, and a receiver: what each of them is told of one trace.

interface Exported {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}
interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Exported[] }[] }[]
}

const collector = await makeReceiver({ headers: { 'content-type': 'application/json' }, body: '{}' })
const receiver = await makeReceiver()
const directory = mkdtempSync(join(tmpdir(), 'waybill-tracing-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const servers: ServerProcess[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  collector.received.length = receiver.received.length = 0
})

const login = { ADMIN_EMAIL: 'ann@seller.test', ADMIN_PASSWORD: 'correct horse battery' }
const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=seller' }
const begin = async (environment: Readonly<Record<string, string>>, args: readonly string[] = []) => {
  const server = await startServer({ LOG_LEVEL: 'warn', ...login, ...environment }, directory, { args })
  servers.push(server)
  return server.origin
}

const spans = (): Exported[] =>
  collector.received
    .map(({ body }) => JSON.parse(body.toString()) as Export)
    .flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
const spanOf = (traceId: string, name: string): Promise<Exported> =>
  eventually(() => {
    const found = spans().find((span) => span.traceId === traceId && span.name === name)
    if (found === undefined)
      throw new Error(
        `The collector has no ${name}, but ${spans()
          .map((span) => span.name)
          .join()}.`,
      )
    return found
  })
const factsOf = ({ attributes }: Exported) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A subscription with a secret in its address, and an event that the caller has in a trace of theirs. */
const raise = async (origin: string, caller: string): Promise<void> => {
  const post = async (path: string, body: object, headers: Record<string, string>): Promise<Record<string, string>> => {
    const all = { 'content-type': 'application/json', ...headers }
    const answer = await fetch(`${origin}${path}`, { method: 'POST', body: JSON.stringify(body), headers: all })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Record<string, string>
  }
  const credentials = { username: login.ADMIN_EMAIL, password: login.ADMIN_PASSWORD }
  const { key = '' } = await post('/api/v1/auth/login/', credentials, {})
  const authorization = `Token ${key}`
  const hook = { event_type: 'shipment.status.updated', target_url: `${receiver.url}/hush-path?key=hush-query` }
  await post('/whisperer/hooks/', hook, { authorization })
  const event = { id: 'wms-1', type: 'shipment.status.updated', data: { id: 7 } }
  await post('/api/v1/events/', event, { authorization, traceparent: caller })
}

const traceId = 'a3ce929d0e0e4736a3ce929d0e0e4736'
const caller = `00-${traceId}-00f067aa0ba902b7-01`

/** From the caller's span to the attempt, each the parent of the next. @returns the `traceparent` that was sent, and that of the attempt. */
const followTrace = async (): Promise<readonly unknown[]> => {
  await receiver.got(1)
  const request = await spanOf(traceId, 'POST /api/v1/events')
  expect(request.parentSpanId).toBe('00f067aa0ba902b7')
  expect(factsOf(request)).toMatchObject({ 'http.route': '/api/v1/events', 'http.response.status_code': 202 })
  const append = await spanOf(traceId, 'append')
  expect(append.parentSpanId).toBe(request.spanId)
  const attempt = await spanOf(traceId, 'deliver shipment.status.updated')
  expect(attempt.parentSpanId).toBe(append.spanId)
  expect(factsOf(attempt)).toMatchObject({
    'waybill.attempt': 1,
    'waybill.outcome': 'delivered',
    'waybill.subscription.id': expect.any(Number),
    'http.response.status_code': 200,
    'server.address': '127.0.0.1',
  })
  // What an address, a password or a credential holds is nobody's business there.
  expect(JSON.stringify(spans())).not.toMatch(/hush|correct horse|Token /)
  expect(collector.received[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'seller' } })
  return [receiver.received[0]?.headers['traceparent'], `00-${traceId}-${attempt.spanId}-01`]
}

const newData = (name: string): Record<string, string> => {
  const DATA_DIR = join(directory, name)
  installDatabase(DATA_DIR)
  return { DATA_DIR }
}

describe('an event whose request is traced', () => {
  test('is followed to its receiver within one process', async () => {
    await raise(await begin({ ...newData('one'), ...tracing }), caller)
    const [sent, wanted] = await followTrace()
    expect(sent).toBe(wanted)
  })

  test.skipIf(process.env['TEST_WITHOUT_POSTGRES'] !== undefined)(
    'is followed from the process that took it to the one that delivers',
    async () => {
      const postgres = await startEmbeddedPostgres()
      try {
        const shared = { DATABASE_URL: postgres.url, SECRET_KEY: 'a key of at least thirty-two characters', ...tracing }
        const origin = await begin({ ...shared, DATA_DIR: join(directory, 'api') }, ['--role', 'api'])
        await begin({ ...shared, DATA_DIR: join(directory, 'worker') }, ['--role', 'worker'])
        await raise(origin, caller)
        const [sent, wanted] = await followTrace()
        expect(sent).toBe(wanted)
        await Promise.all(servers.splice(0).map((server) => server.stop()))
      } finally {
        await postgres.stop()
      }
    },
  )
})

test('a request that its caller does not keep is not reported, and its receiver is told so', async () => {
  const settings = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }
  await raise(await begin({ ...newData('unsampled'), ...tracing, ...settings }), caller.replace(/1$/, '0'))
  const [received] = await receiver.got(1)
  expect(received?.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
  // The login, which began a trace of its own, comes later than what would have been reported before it.
  await eventually(() => expect(spans().map(({ name }) => name)).toContain('POST /whisperer/hooks'))
  expect(spans().filter((span) => span.traceId === traceId)).toEqual([])
})

test('without a collector nothing is traced, and receivers get no traceparent', async () => {
  await raise(await begin(newData('off')), caller)
  const [received] = await receiver.got(1)
  expect(received?.headers).not.toHaveProperty('traceparent')
  expect(collector.received).toEqual([])
})
