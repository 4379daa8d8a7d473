import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const mail = await makeMailServer()
const clock = makeFakeClock()
const app = await makeTestApp({
  clock,
  environment: {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    PUBLIC_URL: 'https://waybill.example',
    B2B_BULK_PROCESSES_BATCH_SIZE: '1',
  },
})
const { call, services, superuser } = app
const { db } = app.database
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, branch, main, chair, ask, admin, mine, must } = world
const people = makePeople(app)
const seller = await people.person({ is_staff: true })
const sellerCredential = await people.authorization(seller)
const emailOf = async (id: number, as = call): Promise<string> => (await must(as('GET', `/api/v1/users/${id}/`))).email
const buyer = await emailOf(owner.id)
const approver = await emailOf(mainBuyer.id)
// Nobody who has left is told of anything.
const former = await world.buyer(main)
await must(call('PATCH', `/api/v1/users/${former.id}/`, { is_active: false }))

const jobs = services.find(({ name }) => name === 'jobs')
beforeAll(() => jobs?.start())
afterAll(() => jobs?.stop())

/** Every message that is stored, in any order; what is stored is sent. */
const allStored = async () => db.selectFrom('mails').select(['id', 'toAddress as to', 'subject']).execute()
const seen = new Set<number>()
/** Who was written to since the last look, and what about. */
const news = async (): Promise<string[]> => {
  const fresh = (await allStored()).filter(({ id }) => !seen.has(id))
  for (const { id } of fresh) seen.add(id)
  return fresh.map(({ to, subject }) => `${to} ${subject.replace(/^.*” /, '')}`).toSorted()
}
beforeEach(news)

const comment = (caller: { call: typeof call }, surface: string, id: number, body: object) =>
  must(caller.call('POST', `/api/v1/${surface}/${id}/comments/`, body))
const asSeller = {
  call: ((method, url, body) => call(method, url, body, sellerCredential)) as typeof call,
}

test('each notice of a quotation reaches whoever acts next', async () => {
  const { id, number } = await ask(owner, branch, { [chair]: 3 }, 'Spring <order>')
  expect(await news()).toEqual([`${approver} waits for the approval of your division`])
  await mine(mainBuyer, id, 'approve-pending-request')
  expect(await news()).toEqual([`${superuser.email} waits for an offer`])
  await must(call('PATCH', `/api/v1/quotations/${id}/`, { assignee: seller.id }))
  await admin(id, 'set-as-draft')
  expect(await news()).toEqual([])
  await admin(id, 'send-approval-request')
  expect(await news()).toEqual([`${buyer} waits for your approval`])
  await admin(id, 'send-approval-request')
  expect(await news()).toEqual([`${buyer} still waits for your approval`])
  // Too early for another reminder.
  expect((await call('POST', `/api/v1/quotations/${id}/send-approval-request/`)).statusCode).toBe(429)
  expect(await news()).toEqual([])
  await admin(id, 'set-as-draft')
  expect(await news()).toEqual([`${buyer} is being changed by the seller`])

  await comment(owner, 'my-quotations', id, { text: 'Could you do 5 %?' })
  expect(await news()).toEqual([`${seller.email} has a new comment of its owner`])
  await comment(asSeller, 'quotations', id, { text: 'Margin secret-margin.', internal: true })
  expect(await news()).toEqual([])
  await comment(asSeller, 'quotations', id, { text: 'Yes, we could.' })
  expect(await news()).toEqual([`${buyer} has a new comment`])
  clock.advance(300_000)
  await comment(mainBuyer, 'my-quotations', id, { text: 'Good.' })
  expect(await news()).toEqual([`${buyer} has a new comment`])

  await admin(id, 'send-approval-request')
  await mine(owner, id, 'approve')
  expect(await news()).toEqual(
    [
      `${approver} is approved`,
      `${buyer} is approved`,
      `${buyer} waits for your approval`,
      `${seller.email} was approved by its owner`,
    ].toSorted(),
  )
  // There is nothing more to tell when it is approved once more.
  await mine(owner, id, 'approve')
  expect(await news()).toEqual([])

  const stored = await allStored()
  await vi.waitFor(() => expect(mail.received).toHaveLength(stored.length), { timeout: 20_000, interval: 50 })
  expect(mail.received.map(({ recipients, subject }) => `${recipients.join()} ${subject}`).toSorted()).toEqual(
    stored.map(({ to, subject }) => `${to} ${subject}`).toSorted(),
  )
  const request = mail.received.find(({ subject = '' }) => subject.endsWith('waits for the approval of your division'))
  const link = `https://waybill.example/shop/quotations/${id}`
  expect(request?.text?.trim().split('\n\n')).toEqual([
    `Quotation ${number} “Spring <order>” waits for the approval of your division`,
    'Somebody of a branch asks for it. It goes on to the seller once your division has approved it.',
    expect.stringMatching(`Asked for by: ${buyer}\nExpires: Monday, 21 December 2026 at 09:30 \\(UTC\\)$`),
    `Open the quotation\n${link}`,
    '----',
    'You get this message because you buy or sell by quotations here.',
  ])
  expect(request?.html).toContain('“Spring &lt;order&gt;” waits for the approval of your division</h1>')
  expect(request?.html).toContain(`href="${link}"`)
  const pending = mail.received.find(({ subject = '' }) => subject.endsWith('waits for an offer'))
  expect(pending?.text).toContain(`\nhttps://waybill.example/quotations/${id}\n`)
  expect(mail.received.map(({ source }) => source).join('')).not.toContain('secret-margin')
})

test('what is refused or undone is told to nobody', async () => {
  const { id } = await ask(mainBuyer, main)
  await admin(id, 'send-approval-request')
  expect(await news()).toEqual(
    [`${superuser.email} waits for an offer`, `${approver} waits for your approval`].toSorted(),
  )
  const tooEarly = await mainBuyer.call('POST', `/api/v1/my-quotations/${id}/approve-pending-request/`)
  expect([tooEarly.statusCode, tooEarly.json().code]).toEqual([400, 'not_requested'])
  // The last step of an approval fails: its orders cannot be written.
  await sql`alter table quotation_orders add constraint nothing_fits check (false) not valid`.execute(db)
  const approval = await mainBuyer.call('POST', `/api/v1/my-quotations/${id}/approve/`)
  await sql`alter table quotation_orders drop constraint nothing_fits`.execute(db)
  expect([approval.statusCode, await news()]).toEqual([500, []])
  expect(await mine(mainBuyer, id, 'approve')).toMatchObject({ status: 'approved' })
  expect(await news()).toHaveLength(2)
})

test('owner and seller are told of the end of a quotation, unless they ended it', async () => {
  const [rejected, refused, late] = [await ask(mainBuyer, main), await ask(owner, branch), await ask(mainBuyer, main)]
  const [own, cancelled] = [await ask(mainBuyer, main), await ask(owner, branch)]
  await news()
  await mine(mainBuyer, own.id, 'reject')
  expect(await news()).toEqual([`${superuser.email} was rejected by its owner`])
  // The seller has not heard of it yet.
  await mine(owner, cancelled.id, 'cancel')
  expect(await news()).toEqual([])
  const taken = await ask(mainBuyer, main)
  await must(call('PATCH', `/api/v1/quotations/${taken.id}/`, { assignee: seller.id }))
  await news()
  await mine(mainBuyer, taken.id, 'cancel')
  expect(await news()).toEqual([`${seller.email} was cancelled by its owner`])
  await admin(rejected.id, 'reject')
  await mine(mainBuyer, refused.id, 'reject')
  expect(await news()).toEqual([`${approver} was rejected`, `${buyer} was rejected`].toSorted())
  clock.advance(31 * 86_400_000)
  const credential = await people.authorization(superuser)
  await must(call('GET', `/api/v1/quotations/${late.id}/`, undefined, credential))
  expect(await news()).toEqual([`${approver} has expired`])
})

test('without SMTP_URL every message is kept, in the language and at the time of its reader', async () => {
  const quiet = await makeTestApp()
  const { ask: askQuietly, owner: asking, branch: theirs, mainBuyer: reader } = await makeQuotationWorld(quiet)
  const settings = { locale: 'tr', time_zone: 'Europe/Istanbul' }
  await must(quiet.call('PATCH', `/api/v1/users/${reader.id}/`, settings))
  const { id, number } = await askQuietly(asking, theirs)
  const kept = await quiet.database.db.selectFrom('mails').selectAll().execute()
  expect(kept).toMatchObject([
    { status: 'kept', locale: 'tr', purpose: 'quotation', toAddress: await emailOf(reader.id, quiet.call) },
  ])
  expect(kept[0]?.subject).toMatch(new RegExp(`^Teklif ${number} “.*”: biriminizin onayını bekliyor$`))
  expect(kept[0]?.text).toMatch(/Geçerlilik sonu: .* \(Türkiye Standart Saati\)/)
  expect(kept[0]?.text).toContain(`/shop/quotations/${id}\n`)
  const { rows } = await sql`select 1 from jobs.job where name in ('mail', 'mails')`.execute(quiet.database.db)
  expect(rows).toEqual([])
})
