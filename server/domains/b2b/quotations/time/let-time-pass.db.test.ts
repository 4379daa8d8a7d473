import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeOutbox } from '#delivery/outbox/outbox.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeExpiry } from './expire.ts'
import { makeLetTimePass } from './let-time-pass.ts'
import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import type { Notice } from '../mail/notice.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const make = makeApprovedQuotations(db)
/** Who was to be told of what: the e-mails themselves are the business of `notices/`. */
const notices: Notice[] = []
const deps: Parameters<typeof makeLetTimePass>[0] = {
  db,
  clock,
  outbox: makeOutbox({ clock, wake: () => undefined }),
  notify: async (_tx, those) => void notices.push(...those),
}
const { expireDue } = makeExpiry(deps)
const letTimePass = makeLetTimePass(deps)
const pass = () => letTimePass(new AbortController().signal)
const hours = 3_600_000
const from = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds)
beforeEach(async () => {
  await sql`delete from events`.execute(db)
  notices.length = 0
})

/** Events of a quotation, with whom they are for. */
const eventsOf = async (id: number): Promise<string[]> => {
  const { rows } = await sql<{ type: string; body: string }>`
    select type, body from events where object_type = 'quotation' and object_id = ${String(id)} order by sequence`.execute(
    db,
  )
  return rows.map(({ type, body }) => {
    const { recipient } = (JSON.parse(body) as { data: { recipient?: string } }).data
    return recipient === undefined ? type : `${type} ${recipient}`
  })
}
const stateOf = async (id: number) => {
  const { rows } = await sql<{ status: QuotationStatus; version: number; counted: QuotationStatus[] }>`
    select status, version, (
      select json_agg(counts.status) from quotation_counts counts
      where counts.user_id = quotations.user_id and count = 1
    ) as counted from quotations where id = ${id}`.execute(db)
  return rows[0]
}
const auditOf = async (id: number) =>
  db
    .selectFrom('quotationAudit')
    .select(['action', 'actor', 'userId', 'before', 'after'])
    .where('quotationId', '=', id)
    .execute()

const expiring: readonly QuotationStatus[] = ['request_approval', 'pending', 'sending_approval_request']

test.each(quotationStatuses)('a quotation in status %s expires, or is left alone, by the table', async (status) => {
  const { id } = await make.quotation({ status, expiresAt: from(0) })
  await pass()
  const expires = expiring.includes(status)
  expect(await stateOf(id)).toEqual({
    status: expires ? 'expired' : status,
    version: expires ? 2 : 1,
    counted: [expires ? 'expired' : status],
  })
  expect(await eventsOf(id)).toEqual(expires ? ['quotation.status.expired'] : [])
  expect(await auditOf(id)).toEqual(
    expires
      ? [
          {
            action: 'expire',
            actor: 'time',
            userId: null,
            before: JSON.stringify({ status }),
            after: '{"status":"expired"}',
          },
        ]
      : [],
  )
})

test('the seller is warned 48 hours before, the owner 24, each once; then it expires', async () => {
  const { id } = await make.quotation({ status: 'pending', expiresAt: from(49 * hours) })
  const draft = await make.quotation({ status: 'draft', expiresAt: from(49 * hours) })
  const never = await make.quotation({ status: 'pending', expiresAt: null })
  await pass()
  expect(await eventsOf(id)).toEqual([])
  clock.advance(hours)
  await pass()
  await pass()
  expect(await eventsOf(id)).toEqual(['quotation.expiring seller'])
  clock.advance(24 * hours)
  await pass()
  await pass()
  expect(await eventsOf(id)).toEqual(['quotation.expiring seller', 'quotation.expiring owner'])
  // Nothing of it has changed for those who read it.
  expect(await stateOf(id)).toMatchObject({ status: 'pending', version: 1 })
  clock.advance(24 * hours - 1)
  await pass()
  expect(await stateOf(id)).toMatchObject({ status: 'pending' })
  clock.advance(1)
  await pass()
  expect(await stateOf(id)).toMatchObject({ status: 'expired' })
  for (const other of [draft, never]) expect(await eventsOf(other.id)).toEqual([])
  expect(notices.map(({ occasion, quotation, doer }) => [occasion, quotation.id, doer])).toEqual([
    ['expiring_seller', id, null],
    ['expiring_owner', id, null],
    ['expired', id, null],
  ])
})

test('of several processes at once one expires and warns', async () => {
  const due = await make.quotation({ status: 'pending', expiresAt: from(0) })
  const soon = await make.quotation({ status: 'pending', expiresAt: from(hours) })
  await Promise.all([pass(), pass(), pass()])
  expect(await eventsOf(due.id)).toEqual(['quotation.status.expired'])
  expect(await eventsOf(soon.id)).toEqual(['quotation.expiring seller', 'quotation.expiring owner'])
})

describe('many that expire at the same second', () => {
  /** Makes others like a quotation, of the same owner. */
  const makeMany = async (id: number, count: number): Promise<void> => {
    await sql`
      insert into quotations (number, name, user_id, division_id, root_division_id, status, currency, total_amount, total_units,
        net_amount, expires_at, created_at, modified_at)
      select number || '-' || copy, name, user_id, division_id, root_division_id, status, currency, 0, 0, 0, expires_at, now(), now()
      from quotations, generate_series(2, ${count}::integer) as copy where id = ${id}`.execute(db)
  }
  /** What somebody reads of the quotations of an owner: which there are, and how many by the counts that are kept. */
  const seen = async (id: number) => {
    const { rows } = await sql<{ there: string; counted: string }>`
      with owner as (select user_id from quotations where id = ${id})
      select
        (select string_agg(status || ' ' || count, ', ') from (
          select status, count(*) from quotations where user_id in (select * from owner) group by status) as there) as there,
        (select string_agg(status || ' ' || count, ', ') from quotation_counts
          where user_id in (select * from owner) and count > 0) as counted`.execute(db)
    return rows[0]
  }

  test('are all expired before anybody reads on', async () => {
    const { id } = await make.quotation({ status: 'pending', expiresAt: from(0) })
    await makeMany(id, 1_501)
    await expireDue()
    expect(await seen(id)).toEqual({ there: 'expired 1501', counted: 'expired 1501' })
    expect((await sql`select from events where type = 'quotation.status.expired'`.execute(db)).rows).toHaveLength(1_501)
    expect(notices).toHaveLength(1_501)
  })

  test('are open to nobody who reads while others expire them', async () => {
    const { id } = await make.quotation({ status: 'sending_approval_request', expiresAt: from(0) })
    await makeMany(id, 1_200)
    const read = async () => {
      await expireDue()
      return seen(id)
    }
    const [, ...all] = await Promise.all([pass(), read(), read(), read()])
    const everything = { there: 'expired 1200', counted: 'expired 1200' }
    expect(all).toEqual([everything, everything, everything])
    expect((await sql`select from events where type = 'quotation.status.expired'`.execute(db)).rows).toHaveLength(1_200)
  })
})
