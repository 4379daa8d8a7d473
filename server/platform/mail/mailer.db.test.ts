import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { systemClock } from '#platform/clock.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import { makeJobs, type Jobs } from '#platform/jobs/jobs.ts'
import { eventually } from '#testing/eventually.ts'
import { makeKeptLog } from '#testing/kept-log.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { noteFailed } from './mail-store.ts'
import { makeMailer, type Mail, type Mailer } from './mailer.ts'

const database = await openTestDatabase()
const { db } = database
const server = await makeMailServer()
const vault = makeVault('a test key of at least thirty-two characters')

const running: Jobs[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.worker.stop()))
  server.received.length = 0
})

/** A process that sends mail, with its log. Without a URL it keeps it. */
const makeProcess = async (url = `smtp://127.0.0.1:${server.port}`) => {
  const smtpUrl = url === '' ? undefined : url
  const kept = makeKeptLog()
  const jobs = makeJobs({ database, log: kept.log, pollSeconds: 0.5 })
  const from = 'Waybill <waybill@shop.example>'
  const mailer = makeMailer({ smtpUrl, from, db, clock: systemClock, vault, jobs, log: kept.log, firstDelaySeconds: 1 })
  await jobs.prepare()
  running.push(jobs)
  await jobs.worker.start()
  return { ...kept, jobs, mailer }
}
const hello: Mail = {
  to: 'ann@buyer.example',
  purpose: 'quotation',
  locale: 'en',
  subject: 'Hello',
  text: 'Hi.',
  html: '<p>Hi.</p>',
}
const send = (mailer: Mailer, ...mails: Partial<Mail>[]): Promise<void> =>
  inTransaction(db, (tx) =>
    mailer.send(
      tx,
      (mails.length === 0 ? [{}] : mails).map((mail) => ({ ...hello, ...mail })),
    ),
  )
/** The newest message. */
const stored = () => db.selectFrom('mails').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
const becomes = (fields: object) => eventually(async () => expect(await stored()).toMatchObject(fields))
/** A job as a server has left it that does not run any more. */
const leaveJob = async (name: string, data: object): Promise<void> => {
  const jobs = makeJobs({ database, log: makeKeptLog().log })
  const job = jobs.define({
    name,
    data: Type.Object({}),
    handler: async () => undefined,
    attempts: 36,
    timeoutSeconds: 300,
  })
  await jobs.prepare()
  await inTransaction(db, (tx) => job.enqueue(tx, data))
}
const arrived = (count = 1) => eventually(() => expect(server.received).toHaveLength(count))

describe('a message', () => {
  test('arrives with text and HTML, and a subject in any script', async () => {
    const { mailer } = await makeProcess()
    expect(mailer.isConfigured).toBe(true)
    const subject = 'Teklifiniz onaylandı — 見積もり ✓'
    await send(mailer, { subject, text: 'Günaydın, 1 < 2', html: '<p>Günaydın, 1 &lt; 2</p>' })
    await arrived()
    const [mail] = server.received
    expect(mail).toMatchObject({
      subject,
      from: { name: 'Waybill', address: 'waybill@shop.example' },
      to: [{ address: 'ann@buyer.example' }],
      recipients: ['ann@buyer.example'],
    })
    expect(mail?.text?.trim()).toBe('Günaydın, 1 < 2')
    expect(mail?.html?.trim()).toBe('<p>Günaydın, 1 &lt; 2</p>')
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  })

  test('that is secret is stored sealed, arrives as it is, and is not stored any more then', async () => {
    const { mailer, jobs } = await makeProcess()
    await jobs.worker.stop()
    await send(mailer, { text: 'The token is hush.', html: '<p>The token is hush.</p>', isSecret: true })
    const waiting = await stored()
    const { rows } = await sql<{ data: object }>`select data from jobs.job where name = 'mails'`.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify([waiting, rows])).not.toContain('hush')
    expect(mailer.open(waiting.sealed ?? '').text).toBe('The token is hush.')
    // What a process has stored and not sent is sent by the next one.
    await makeProcess()
    await arrived()
    const [mail] = server.received
    expect([mail?.text?.trim(), mail?.html?.trim()]).toEqual(['The token is hush.', '<p>The token is hush.</p>'])
    await becomes({ status: 'sent', attempts: 1, text: null, html: null, sealed: null, sentAt: expect.any(Date) })
  })

  test('that a process has sent and not noted goes out again, with the same Message-ID', async () => {
    const { mailer, jobs } = await makeProcess()
    await send(mailer)
    await becomes({ status: 'sent' })
    await jobs.worker.stop()
    // As if it had died between the server's yes and the note of it: the job is taken up again.
    const { id, round } = await stored()
    await db.updateTable('mails').set({ status: 'waiting', sentAt: null }).where('id', '=', id).execute()
    await leaveJob('mails', { mail: id, round })
    await makeProcess()
    await arrived(2)
    expect(server.received[1]?.messageId).toBe(server.received[0]?.messageId)
  })

  test('goes to each of several people by itself, once each', async () => {
    const { mailer } = await makeProcess()
    await send(mailer, {}, { to: 'bob@buyer.example' })
    await arrived(2)
    await sleep(700)
    const recipients = server.received.map((mail) => mail.recipients.join())
    expect(recipients.toSorted()).toEqual(['ann@buyer.example', 'bob@buyer.example'])
    expect(server.received.map(({ to }) => to?.length)).toEqual([1, 1])
  })

  test('is not sent when the change that it tells of is undone', async () => {
    const { mailer } = await makeProcess()
    const change = inTransaction(db, async (tx) => {
      await mailer.send(tx, [hello])
      throw new Error('changed my mind')
    })
    await expect(change).rejects.toThrow('changed my mind')
    await sleep(1_200)
    expect(server.received).toEqual([])
  })

  test('cannot smuggle in a header or a recipient', async () => {
    const { mailer, linesOf } = await makeProcess()
    await send(mailer, { subject: 'Hi\r\nBcc: eve@evil.example\r\n\r\nNew body\u0000' })
    await send(mailer, { to: 'ann@buyer.example\r\nRCPT TO:<eve@evil.example>' })
    await send(mailer, { to: 'ann@buyer.example, eve@evil.example' })
    await arrived()
    await sleep(700)
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toMatchObject({
      subject: 'Hi Bcc: eve@evil.example New body',
      recipients: ['ann@buyer.example'],
    })
    expect(server.received[0]?.bcc).toBeUndefined()
    expect(linesOf('mail.not_an_address')).toHaveLength(2)
  })

  test('may quote what the database cannot store', async () => {
    const { mailer } = await makeProcess()
    await send(mailer, { text: 'before\u0000\ud800after', html: '\u0000<p>x</p>' })
    await arrived()
    expect(server.received[0]?.text?.trim()).toBe('before\ufffdafter')
  })
})

describe('a server that refuses', () => {
  test('for now gets the message again, with the same Message-ID', async () => {
    const { mailer, linesOf } = await makeProcess()
    server.refusals.push([450, 'Come back later'])
    await send(mailer)
    await arrived()
    const [failed] = linesOf('job.attempt_failed')
    expect(failed).toMatchObject({ job: 'mails', attempt: 1 })
    expect(JSON.stringify(failed)).toContain('450 Come back later')
    await becomes({ status: 'sent', attempts: 2, error: null })
    expect(server.received[0]?.messageId).toBe(`<${(await stored()).messageId}@shop.example>`)
  })

  test('for good does not get it again, and the log says so', async () => {
    const { mailer, linesOf } = await makeProcess()
    const before = server.conversations()
    server.refusals.push([550, 'No such user'])
    await send(mailer)
    await eventually(() => expect(linesOf('job.failed')).toHaveLength(1))
    expect(linesOf('job.failed')).toMatchObject([
      { job: 'mails', attempts: 1, reason: 'A message to ann@buyer.example was not accepted: 550 No such user' },
    ])
    await becomes({ status: 'failed', attempts: 1, error: '550 No such user' })
    await sleep(2_500)
    expect(server.conversations() - before).toBe(1)
    expect(server.received).toEqual([])
    // Somebody has made the address meanwhile.
    const { id } = await stored()
    await inTransaction(db, (tx) => mailer.sendAgain(tx, id))
    await arrived()
    await becomes({ status: 'sent', attempts: 2, error: null })
    expect(await inTransaction(db, (tx) => mailer.sendAgain(tx, id))).toBeUndefined()
  })

  test.each([
    [451, 'waiting'],
    [554, 'failed'],
  ])('a secret message, and repeats it with %i, gives nothing of it away', async (code, status) => {
    const { mailer, jobs, text } = await makeProcess()
    server.refusals.push([code, '5.7.1 The address https://shop.example/#token=hush is listed'])
    await send(mailer, { text: 'Go to https://shop.example/#token=hush', isSecret: true })
    await becomes({ status, attempts: 1, error: `${code} 5.7.1` })
    await jobs.worker.stop()
    const kept = await sql`select * from jobs.job where name in ('mails', 'failures')`.execute(db)
    expect(kept.rows.length).toBeGreaterThan(0)
    expect(JSON.stringify([await stored(), kept.rows, text()])).not.toContain('hush')
    await db.deleteFrom('mails').execute()
  })

  test('a message that somebody sends again is not failed by the job before', async () => {
    const { mailer, jobs } = await makeProcess()
    server.refusals.push([550, 'No such user'])
    await send(mailer)
    await becomes({ status: 'failed' })
    await jobs.worker.stop()
    const { id } = await stored()
    await inTransaction(db, (tx) => mailer.sendAgain(tx, id))
    await noteFailed(db, { mail: id, round: 1 }, 'old news')
    expect(await stored()).toMatchObject({ status: 'waiting', round: 2, error: null })
    await makeProcess()
    await arrived()
  })

  test('the password refuses every message, so it keeps them until the password is right, and never logs it', async () => {
    let accepts = false
    const strict = await makeMailServer({
      authOptional: false,
      onAuth: ({ password }, _session, done) => {
        if (accepts && password === 'open sesame') done(null, { user: 'waybill' })
        else done(Object.assign(new Error('Invalid credentials'), { responseCode: 535 }))
      },
    })
    const { mailer, linesOf, text } = await makeProcess(`smtp://waybill:open%20sesame@127.0.0.1:${strict.port}`)
    await send(mailer)
    await eventually(() => expect(linesOf('job.attempt_failed')).toHaveLength(1))
    accepts = true
    await eventually(() => expect(strict.received).toHaveLength(1))
    const { rows } = await sql<{ output: unknown }>`select output from jobs.job where name = 'mails'`.execute(db)
    for (const shown of [text(), JSON.stringify(rows)]) {
      expect(shown).not.toMatch(/open(%20| )sesame|b3BlbiBzZXNhbWU|d2F5YmlsbA/)
    }
  })
})

describe('a server that is not there', () => {
  test('gets the message when it is back', async () => {
    const gone = await makeMailServer()
    await gone.close()
    const { mailer, linesOf } = await makeProcess(`smtp://127.0.0.1:${gone.port}`)
    await send(mailer)
    await eventually(() => expect(linesOf('job.attempt_failed')).not.toEqual([]))
    const back = await makeMailServer({ port: gone.port })
    await eventually(() => expect(back.received).toHaveLength(1))
  })

  test('and neither is one whose certificate nobody has signed', async () => {
    const forged = await makeMailServer({ secure: true })
    const { jobs, mailer, linesOf } = await makeProcess(`smtps://waybill:secret@127.0.0.1:${forged.port}`)
    await send(mailer)
    await eventually(() => expect(linesOf('job.attempt_failed')).not.toEqual([]))
    expect(JSON.stringify(linesOf('job.attempt_failed'))).toMatch(/certificate/)
    expect(forged.received).toEqual([])
    await jobs.worker.stop()
    await sql`delete from jobs.job where name = 'mails'`.execute(db)
  })
})

describe('without an SMTP_URL', () => {
  const makeOffline = () => makeProcess('')

  test('a message is kept, and no job is made', async () => {
    const { mailer } = await makeOffline()
    expect(mailer.isConfigured).toBe(false)
    const count = async () => (await sql<{ n: number }>`select count(*) as n from jobs.job`.execute(db)).rows[0]?.n
    const before = await count()
    await send(mailer)
    expect(await count()).toBe(before)
    expect(await stored()).toMatchObject({ status: 'kept', text: 'Hi.', html: '<p>Hi.</p>', sealed: null, attempts: 0 })
  })

  test('what waited is kept, and can be sent when there is one', async () => {
    const { mailer, jobs } = await makeProcess()
    await jobs.worker.stop()
    await send(mailer)
    const offline = await makeOffline()
    await becomes({ status: 'kept' })
    await offline.jobs.worker.stop()
    const { id } = await stored()
    const again = await makeProcess()
    await sleep(700)
    expect(server.received).toEqual([])
    await inTransaction(db, (tx) => again.mailer.sendAgain(tx, id))
    await arrived()
  })
})

test('whole messages in the jobs of an earlier version are sent', async () => {
  await makeProcess()
  const whole = { to: 'ann@buyer.example', subject: 'Old' }
  const sealed = vault.seal(JSON.stringify({ text: 'The token is hush.', html: '<p>The token is hush.</p>' }))
  await leaveJob('mail', { ...whole, text: 'Hi.' })
  await leaveJob('mail', { ...whole, text: sealed, isSealed: true })
  await arrived(2)
  expect(new Set(server.received.map(({ text }) => text?.trim()))).toEqual(new Set(['Hi.', 'The token is hush.']))
})
