import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { openTestStore } from '#testing/open-test-store.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { compose } from './compose.ts'

// Every way that the secrets of subscribers and projects take through the server, and then every row and every log line there is.

const database = await openTestDatabase()
const { db } = database
const logged: string[] = []
const login = { ADMIN_EMAIL: 'admin@waybill.test', ADMIN_PASSWORD: 'hush-administrator' }
const { app, services, ensureSuperuser } = await compose({
  role: 'all',
  config: readConfig({ NODE_ENV: 'test', MAX_ATTEMPTS: '1', ...login }),
  secretKey: 'hush-secret-key of at least 32 characters',
  previousSecretKeys: ['hush-earlier-key of at least 32 characters'],
  database,
  store: await openTestStore(),
  clock: systemClock,
  log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
})
afterAll(() => app.close())
await ensureSuperuser()

let authorization = ''
let calls = 0
/** Each with a key of its own, so that each answer is kept. */
const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
  const headers = { authorization, 'idempotency-key': `call-${++calls}` }
  return app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

const receiver = await makeReceiver(({ path }) =>
  path.startsWith('/in') ? { body: '{"key":"hush-token"}' } : { status: 401, body: 'no' },
)
const address = `${receiver.url}/hush-path?token=hush-query`
const account = { username: 'shop', password: 'hush-password' }
const secretsOf = {
  secret_key: 'hush-secret',
  additional_headers: { 'X-Shop': 'hush-header', Authorization: 'hush-credential' },
}
const tokenFrom = (path: string) => ({ auth_type: 'token', url: `${receiver.url}${path}`, ...account })
const hooks = [
  { ...secretsOf, target_url: address, config: { auth: { auth_type: 'basic', ...account } } },
  {
    ...secretsOf,
    target_url: `${address}&second`,
    config: { signature: 'v1a', auth: tokenFrom('/in/hush-login') },
  },
  { ...secretsOf, target_url: `${address}&third`, config: { auth: tokenFrom('/denied/hush-login') } },
]

const keystore = { keystorePassword: 'hush-keystore', keyPassword: 'hush-key', keyAlias: 'release' }
const projectSecrets = {
  credential: {
    android: { production: keystore },
    huawei: { staging: keystore },
    ios: { production: { password: 'hush-certificate', certificateApnKey: 'hush-apn' } },
  },
  storeCredentials: {
    appleAppStore: { apiKeyFile: 'hush-p8' },
    huaweiAppGallery: { clientId: 'client', clientSecret: 'hush-client' },
  },
}

/** Makes a project, changes it, has it refused, and reads it. @returns every answer. */
const useProject = async (): Promise<string> => {
  const organization = (await call('POST', '/api/v1/organizations', { name: 'Waybill' })).json<{ _id: string }>()._id
  const projects = `/api/v1/organizations/${organization}/projects`
  const body = { name: 'Drivers', slug: 'drivers', ...projectSecrets }
  const made = await call('POST', projects, body)
  const url = `${projects}/${made.json<{ _id: string }>()._id}`
  const answers = [
    made,
    await call('POST', projects, body),
    await call('POST', projects, { ...body, slug: 'hush', status: 'odd' }),
    await call('PATCH', url, { credential: { ios: { staging: { password: 'hush-staging' } } } }),
    await call('PATCH', url, { credential: { ios: { staging: { password: ['hush-refused'] } } } }),
    await call('GET', url),
    await call('GET', projects),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 400, 400, 200, 400, 200, 200])
  return answers.map((answer) => answer.body).join('\n')
}

/** Invites somebody. @returns the token of the letter, which a superuser reads where there is no mail server. */
const invite = async (): Promise<string> => {
  const { id } = (await call('POST', '/api/v1/users/', { email: 'new@waybill.test' })).json<{ id: number }>()
  await call('POST', `/api/v1/users/${id}/invite/`)
  const [mail] = (await call('GET', '/api/v1/mails/')).json<{ id: number; text: string }[]>()
  const token = /wbp_[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
  expect((await call('GET', `/api/v1/mails/${mail?.id}/`)).json<{ html: string }>().html).toContain(token)
  return token
}

/** Lets the deliveries that failed for good become error reports. @returns what those say of them. */
const reportFailures = async (count: number): Promise<string[]> => {
  const service = services.find(({ name }) => name === 'failure reports')
  if (service === undefined) throw new Error('No service reports failures.')
  await service.start()
  const descriptions = await eventually(async () => {
    const reports = (await call('GET', '/api/v1/error_reports/')).json<{ error_desc: string }[]>()
    expect(reports).toHaveLength(count)
    return reports.map((report) => report.error_desc)
  })
  await service.stop()
  return descriptions
}

const everyRow = async (): Promise<string> => {
  const tables = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(db)
  const texts = await Promise.all(
    tables.rows.map(({ name }) => sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(db)),
  )
  return texts.flatMap(({ rows }) => rows.map(({ text }) => text)).join('\n')
}

test('no secret of a subscriber or a project, and no key, stands readable in the database or in the log', async () => {
  const made: string[] = []
  const signedIn = await call('POST', '/api/v1/auth/login/', {
    username: login.ADMIN_EMAIL,
    password: login.ADMIN_PASSWORD,
  })
  made.push(signedIn.json<{ key: string }>().key)
  authorization = `Token ${made[0]}`
  for (const hook of hooks) {
    const body = { event_type: 'stock_location.created', ...hook }
    const { id } = (await call('POST', '/whisperer/hooks/', body)).json<{ id: number }>()
    const rotated = await call('POST', `/whisperer/hooks/${id}/secret/`)
    made.push(rotated.json<{ secret_key: string | null }>().secret_key ?? 'whsk_')
    await call('PATCH', `/whisperer/hooks/${id}/`, {
      target_url: 'ftp://hush-refused',
      secret_key: 'whsec_hush-refused',
    })
    await call('GET', `/whisperer/hooks/?target_url=${encodeURIComponent(hook.target_url)}`)
  }
  await call('POST', '/api/v1/stock_locations/', { code: 'IST-1', name: 'Main' })
  const events = (await call('GET', '/whisperer/hook_events/')).json<{ id: number }[]>()
  for (const { id } of events) await call('POST', `/whisperer/hook_events/${id}/retry/`, { force: true })
  // Each was tried, and the accounts were sent where tokens come from; one got none.
  const paths = receiver.received.map(({ path }) => path.replace(/\?.*/, ''))
  expect(paths.toSorted()).toEqual(['/denied/hush-login', '/hush-path', '/hush-path', '/in/hush-login'])

  expect(await reportFailures(hooks.length)).toEqual(hooks.map(() => `Delivery to ${receiver.url} failed`))

  made.push(await invite())
  const projects = await useProject()
  const places = { database: await everyRow(), log: logged.join('\n'), projects }
  expect(places.database).toContain('stock_location.created')
  expect(places.log).toContain('request.completed')
  expect(places.projects).toContain('"clientSecret":"********"')
  for (const text of Object.values(places)) {
    for (const secret of ['hush-', 'whsec_', ...made]) expect(text).not.toContain(secret)
  }
})
