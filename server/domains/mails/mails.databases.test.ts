import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#platform/clock.ts'
import { eventually } from '#testing/eventually.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp, type TestApp } from '#testing/make-test-app.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'

const server = await makeMailServer()
const clock = makeFakeClock()
const offline = await makeTestApp({ clock })
const online = await makeTestApp({ clock, environment: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } })
const worker = online.services.find(({ name }) => name === 'jobs')
await worker?.start()
afterAll(() => worker?.stop())
beforeEach(() => {
  server.received.length = 0
})

interface Mail {
  readonly id: number
  readonly to: string
  readonly purpose: string
  readonly locale: string
  readonly subject: string
  readonly text: string | null
  readonly html?: string | null
  readonly status: string
  readonly attempts: number
  readonly error: string | null
  readonly sent_at: string | null
}
let made = 0
/** Invites somebody new. @returns their address. */
const invite = async ({ call }: TestApp, fields: object = {}): Promise<string> => {
  const email = `new-${(made += 1)}@example.com`
  const { id } = (await call('POST', '/api/v1/users/', { email, ...fields })).json<{ id: number }>()
  expect((await call('POST', `/api/v1/users/${id}/invite/`)).statusCode).toBe(202)
  return email
}
const list = async ({ call }: TestApp, query = ''): Promise<Mail[]> =>
  (await call('GET', `/api/v1/mails/?${query}`)).json()
const mailTo = async (app: TestApp, email: string): Promise<Mail> => {
  const [mail] = await list(app, `to=${email}`)
  const answer = await app.call('GET', `/api/v1/mails/${mail?.id}/`)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const becomes = (app: TestApp, email: string, fields: Partial<Mail>): Promise<Mail> =>
  eventually(async () => {
    const mail = await mailTo(app, email)
    expect(mail).toMatchObject(fields)
    return mail
  })
const sendAgain = async ({ call }: TestApp, id: number) => {
  const answer = await call('POST', `/api/v1/mails/${id}/send/`)
  return [answer.statusCode, answer.json<{ code?: string }>().code]
}

describe('without a mail server a message', () => {
  test('is kept and shown, the link of an invitation too, which works', async () => {
    const email = await invite(offline, { locale: 'tr', time_zone: 'Europe/Istanbul' })
    const mail = await mailTo(offline, email)
    expect(mail).toMatchObject({ to: email, purpose: 'invitation', locale: 'tr', subject: 'Hesabınız hazır' })
    expect(mail).toMatchObject({ status: 'kept', attempts: 0, error: null, sent_at: null })
    const token = /#token=(wbp_[\w-]{43})\n/.exec(mail.text ?? '')?.[1]
    expect(mail.html).toContain(`#token=${token}"`)
    expect(mail.text).toContain('(Türkiye Standart Saati)')
    const url = '/api/v1/auth/password/reset/confirm/'
    const answer = await offline.app.inject({ method: 'POST', url, payload: { token, password: 'a new password' } })
    expect(answer.statusCode).toBe(204)
  })

  test('stands in the list without its HTML', async () => {
    const email = await invite(offline)
    const [mail] = await list(offline, `to=${email.toUpperCase()}&purpose=invitation&status=kept`)
    expect(mail?.text).toContain('#token=wbp_')
    expect(mail).not.toHaveProperty('html')
    expect(await list(offline, `to=${email}&status=sent&status=failed`)).toEqual([])
  })

  test('cannot be sent', async () => {
    const { id } = await mailTo(offline, await invite(offline))
    expect(await sendAgain(offline, id)).toEqual([400, 'mail_not_configured'])
  })

  test('is undone with the change that it is about', async () => {
    const { db } = offline.database
    const count = async () => (await list(offline, 'limit=1000')).length
    const { id } = (await offline.call('POST', '/api/v1/users/', { email: 'undone@example.com' })).json()
    const before = await count()
    await sql`alter table mails add constraint nothing_fits check (false) not valid`.execute(db)
    const refused = await offline.call('POST', `/api/v1/users/${id}/invite/`)
    await sql`alter table mails drop constraint nothing_fits`.execute(db)
    expect([refused.statusCode, await count()]).toEqual([500, before])
    const links = await db.selectFrom('passwordLinks').select('userId').where('userId', '=', id).execute()
    expect(links).toEqual([])
  })
})

describe('with a mail server a message', () => {
  test('is sent once, and its link is shown to nobody else', async () => {
    const email = await invite(online)
    const mail = await becomes(online, email, { status: 'sent', attempts: 1, error: null })
    expect([mail.text, mail.html, mail.sent_at]).toEqual([null, null, clock.now().toISOString()])
    expect(server.received.map(({ recipients }) => recipients)).toEqual([[email]])
    expect(server.received[0]?.text).toContain('#token=wbp_')
    expect(await sendAgain(online, mail.id)).toEqual([400, 'mail_not_sendable'])
    expect(server.received).toHaveLength(1)
  })

  test('that fails says why, still hides its link, and is sent again when somebody asks for it', async () => {
    server.refusals.push([550, 'No such user'])
    const email = await invite(online)
    const mail = await becomes(online, email, { status: 'failed', attempts: 1, error: '550' })
    expect([mail.text, mail.html]).toEqual([null, null])
    const answer = await online.call('POST', `/api/v1/mails/${mail.id}/send/`)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ id: mail.id, status: 'waiting', error: null, text: null }),
    ])
    await becomes(online, email, { status: 'sent', attempts: 2 })
    expect(server.received[0]?.text).toContain('#token=wbp_')
  })

  test('is asked for again by two at once and sent once', async () => {
    server.refusals.push([550, 'No such user'])
    const email = await invite(online)
    const { id } = await becomes(online, email, { status: 'failed' })
    const answers = await Promise.all([sendAgain(online, id), sendAgain(online, id)])
    expect(answers.toSorted()).toEqual([
      [200, undefined],
      [400, 'mail_not_sendable'],
    ])
    await becomes(online, email, { status: 'sent', attempts: 2 })
    expect(server.received).toHaveLength(1)
  })
})

test('messages are for superusers, with a credential that has no limits', async () => {
  const { person, authorization } = makePeople(offline)
  const staff = await authorization(await person({ is_staff: true }))
  const limited = await offline.call('POST', '/api/v1/auth/api-keys/', { name: 'x', scopes: ['quotations:read'] })
  const key = { authorization: limited.json<{ key: string }>().key }
  const { id } = await mailTo(offline, await invite(offline))
  for (const headers of [staff, key]) {
    const answers = await Promise.all([
      offline.call('GET', '/api/v1/mails/', undefined, headers),
      offline.call('GET', `/api/v1/mails/${id}/`, undefined, headers),
      offline.call('POST', `/api/v1/mails/${id}/send/`, undefined, headers),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
  }
  expect((await offline.call('GET', '/api/v1/mails/999999/')).statusCode).toBe(404)
  expect((await online.call('POST', '/api/v1/mails/999999/send/')).statusCode).toBe(404)
})

test('a message is forgotten after 30 days', async () => {
  const { call, services, superuser, database } = offline
  const old = await mailTo(offline, await invite(offline))
  clock.advance(29 * dayMs)
  const young = await mailTo(offline, await invite(offline))
  const waits = await mailTo(offline, await invite(offline))
  const longAgo = new Date(0)
  await database.db
    .updateTable('mails')
    .set({ status: 'waiting', createdAt: longAgo })
    .where('id', '=', waits.id)
    .execute()
  clock.advance(2 * dayMs)
  const key = await makePeople(offline).authorization(superuser)
  const tidy = services.find(({ name }) => name === 'tidy')
  await tidy?.start()
  const statuses = () =>
    Promise.all(
      [old, young, waits].map(async ({ id }) => (await call('GET', `/api/v1/mails/${id}/`, undefined, key)).statusCode),
    )
  await eventually(async () => expect(await statuses()).toEqual([404, 200, 200]))
  await tidy?.stop()
})
