import { sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'

/** From 0 to 1, the same for the same quotation; does not go with another `salt`. */
const chance = (salt: number): string => `(abs(hashint4extended(number, ${salt})) % 10000) / 10000.0`

export const productsSeeded = 10_000

/** Of every ten main divisions one has a phone number in Berlin; each has four branches under it. */
const people = [
  `insert into divisions (name, phone_number, root, created_at, modified_at)
   select 'Company ' || number, case when number % 10 = 0 then '+49 30 ' else '+90 212 ' end || 100000 + number,
     number, now(), now()
   from generate_series(1, 200) as number`,
  `insert into divisions (name, phone_number, root, parent, created_at, modified_at)
   select 'Branch ' || number, '+44 20 ' || 100000 + number, 1 + number % 200, 1 + number % 200, now(), now()
   from generate_series(0, 799) as number`,
  `insert into users (email, password_hash, division, created_at, modified_at)
   select 'buyer' || number || '@bench.test', '', 1 + number % 1000, now(), now()
   from generate_series(0, 3999) as number`,
  `insert into products (remote_id, sku, name, price, currency, created_at, modified_at)
   select number, number, 'Product ' || number, 100 + number, 'EUR', now(), now() from generate_series(1, ${productsSeeded}) as number`,
]

/**
 * Of the last 90 days; none of the last 30 has expired. Some people order far more than others; half is approved and one in a hundred a draft; nine of ten are in
 * euros, the others in yen and in dinars of Kuwait, which have none and three decimals. One in eight is named after spring. One in
 * ten was changed lately, the others within a week of their creation.
 */
const quotations = `
  insert into quotations (number, name, user_id, division_id, root_division_id, status, currency, total_amount, total_units,
    net_amount, expires_at, created_at, modified_at)
  select 'Q-2026-' || lpad(number::text, greatest(6, length(number::text)), '0'),
    (array['Spring', 'Summer', 'Autumn', 'Winter', 'Office', 'Kitchen', 'Storage', 'Repair'])[1 + floor(8 * ${chance(1)})::int]
      || ' order ' || number || ' of ' || (array['chairs', 'tables', 'lamps', 'shelves'])[1 + number % 4],
    buyer.id, division.id, division.root,
    (array_fill('approved'::text, array[50]) || array_fill('rejected'::text, array[15]) || array_fill('cancelled'::text, array[12])
      || array_fill(case when number > $1 * 2 / 3 then 'pending' else 'expired' end, array[12]) || array_fill('pending'::text, array[5])
      || array_fill('request_approval'::text, array[3]) || array_fill('sending_approval_request'::text, array[2])
      || array_fill('draft'::text, array[1]))[1 + floor(100 * ${chance(2)})::int],
    money.currency, floor(units * 10 ^ money.digits), floor(units * 10 ^ money.digits) / 10::numeric ^ money.digits,
    floor(units * 10 ^ money.digits * 0.9), now() + interval '1 year', made_at,
    case when number % 10 = 0 then now() - interval '1 day' * ${chance(5)} else made_at + interval '7 days' * ${chance(6)} end
  from generate_series(1, $1::integer) as number
  join lateral (select 1 + floor(4000 * (${chance(3)}) ^ 2)::int as nth) as picked on true
  join buyers buyer on buyer.nth = picked.nth
  join divisions division on division.id = buyer.division
  cross join lateral (select (array['EUR', 'JPY', 'KWD'])[kind] as currency, (array[2, 0, 3])[kind] as digits
    from (select case number % 20 when 7 then 2 when 11 then 3 else 1 end as kind) as kinds) as money
  cross join lateral (select 20 + 50000 * (${chance(4)}) ^ 3 as units,
    now() - interval '90 days' * (1 - number::float8 / $1) as made_at) as given
  order by number`

const counts = `
  insert into quotation_counts (status, division_id, user_id, count)
  select status, division_id, user_id, count(*) from quotations group by status, division_id, user_id`

/** What the table has besides its columns, as statements that make it again: built at once, it takes a fraction of the time. */
const parts = `
  select 'alter table quotations drop constraint ' || quote_ident(conname) as off,
    'alter table quotations add constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as on
  from pg_constraint where conrelid = 'quotations'::regclass and contype not in ('p', 'n')
  union all
  select 'drop index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
  from pg_index where indrelid = 'quotations'::regclass and not indisprimary
    and indexrelid not in (select conindid from pg_constraint where conrelid = 'quotations'::regclass)`

/** Quotations of 4,000 people of 1,000 divisions, made by the database itself, and what it does later of its own accord. */
export const seedQuotations = async (database: Database, count: number): Promise<void> => {
  await database.scriptTransaction(async (run) => {
    await run("set local maintenance_work_mem = '512MB'")
    await run("set local work_mem = '64MB'")
    for (const statement of people) await run(statement)
    await run(`create temporary table buyers on commit drop as
      select id, division, row_number() over (order by id) as nth from users where email like '%@bench.test'`)
    await run('analyze buyers')
    const all = (await run(parts)) as { readonly off: string; readonly on: string }[]
    for (const { off } of all) await run(off)
    await run('alter table quotations disable trigger user')
    await run(quotations, [count])
    await run('alter table quotations enable trigger user')
    for (const { on } of all) await run(on)
    await run(counts)
    await run('insert into quotation_numbers (year, last) values (2026, $1)', [count])
  })
  await sql`vacuum (analyze) quotations`.execute(database.db)
  await database.scriptTransaction((run) => run('analyze'))
  await sql`checkpoint`.execute(database.db)
}
