import { sql } from 'kysely'
import { contentTypes } from '#events/content-types.ts'
import type { Database } from '#platform/db/database.ts'

const { product, order, batchrequest, productprice, city, channel } = contentTypes

/** A number from 0 to 99 that is the same for the same report and does not go with another `salt`. */
const chance = (salt: number): string => `(abs(hashint4extended(number, ${salt})) % 100)::integer`
/** From 0 to 1, most of them small. */
const skewed = (salt: number): string => `((abs(hashint4extended(number, ${salt})) % 10000) / 10000.0) ^ 2`

/**
 * Of the reports: 20 channels in 4 catalogues, the first of them report most; products are nearly half, cities few;
 * one in ten is about a product; 40 % log a success, 57 % are resolved, 3 % open.
 */
const shape = `
  select number,
    1 + floor(20 * ${skewed(1)})::integer as channel_id,
    (array_fill(${product}, array[45]) || array_fill(${batchrequest}, array[25]) ||
      array_fill(${productprice}, array[15]) || array_fill(${order}, array[12]) ||
      array_fill(${city}, array[3]))[1 + ${chance(2)}] as action_content_type,
    ${chance(3)} >= 10 as targets_channel,
    ${chance(4)} < 40 as was_ok,
    ${chance(4)} < 97 as is_ok
  from generate_series(1, $1::integer) as number`

const statements = [
  `insert into catalogs (name, created_at, modified_at)
   select 'Catalogue ' || number, now(), now() from generate_series(1, 4) as number`,
  `insert into channels (name, catalog_id, created_at, modified_at)
   select 'Channel ' || number, 1 + number % 4, now(), now() from generate_series(1, 20) as number`,
  `insert into error_report_groups (algorithm, fingerprint, action_content_type, title, code_pattern, state,
     first_seen_at, last_seen_at, count, open_count)
   select 1, 'seeded ' || number, ${product}, 'ProductIntegrationError', 'custom', 'open', now(), now(), 1, 1
   from generate_series(1, 2000) as number`,
]

const buckets = `
  insert into error_report_buckets (channel_id, action_content_type, target_content_type, targets_channel, is_ok)
  select distinct channel_id, action_content_type, case when targets_channel then ${channel} else ${product} end,
    targets_channel, is_ok
  from (${shape}) as shape`

/**
 * Codes: one in ten is "custom", one in ten that of a city, the others are made unique as channels do. Texts have 0.5
 * to 2 KB. One answer in four has the word "timeout". It is found by a
 * third of its words, because the index of all takes a minute to build.
 */
const reports = `
  insert into error_reports (
    group_id, channel_id, action_content_type, action_object_id, target_content_type, target_object_id, bucket_id,
    obj_modified_date, error_code, error_desc, is_ok, was_ok_at_creation, raw_request, raw_response, words,
    body_hash, resolved_at, resolved_how, created_at, updated_at)
  select case when was_ok then null else 1 + floor(2000 * ${skewed(5)})::integer end,
    shape.channel_id, shape.action_content_type, 1 + abs(hashint4extended(number, 6)) % 200000,
    case when shape.targets_channel then ${channel} else ${product} end,
    case when shape.targets_channel then shape.channel_id else 100 + number % 5000 end, bucket.id, made_at,
    case number % 10 when 3 then 'custom' when 7 then 'integrations_200_10_2'
      else number || '-Channel-BatchRequest-' || 1763717400 + number end,
    (array['ProductIntegrationError', 'StockError', 'PriceError', 'ConnectionError'])[1 + ${chance(7)} % 4],
    shape.is_ok, was_ok,
    'POST-https://shop.example/api/products/' || number || '-{"items": ['
      || repeat('{"sku": "CHAIR-OAK-' || number % 50000 || '", "stock": 12, "price": "129.90"}, ', 3 + number % 12) || '{}]}',
    'HTTP 422 {"request_id": "' || md5(number::text) || '", "errors": ['
      || case when ${chance(8)} < 25 then '{"message": "Read timeout while asking the warehouse."}, ' else '' end
      || repeat('{"field": "category", "message": "There is no such category."}, ', 3 + number % 9) || '{}]}',
    array['productintegrationerror', 'products', number::text, 'chair', (number % 50000)::text, md5(number::text), 'category']
      || case when number % 10 in (3, 7) then '{custom}' else array['batchrequest', (1763717400 + number)::text] end
      || case when ${chance(8)} < 25 then '{timeout,warehouse}'::text[] else '{}' end,
    md5(number::text),
    case when shape.is_ok and not was_ok then made_at + interval '1 hour' end,
    case when shape.is_ok and not was_ok then 'patched' end, made_at, made_at
  from (${shape}) as shape join error_report_buckets bucket
    using (channel_id, action_content_type, targets_channel, is_ok)
  cross join lateral (select now() - interval '90 days' * (1 - number::float8 / $1) as made_at) as time
  order by number`

const counts = `
  insert into error_report_counts (group_id, day, bucket_id, count)
  select 0, '-infinity', bucket_id, count(*) from error_reports group by bucket_id
  union all select 0, (created_at at time zone 'UTC')::date, bucket_id, count(*) from error_reports group by 2, bucket_id
  union all select group_id, '-infinity', bucket_id, count(*) from error_reports where group_id is not null
  group by group_id, bucket_id`

/** What the table has besides its columns, as statements that make it again: built at once, it takes a third of the time. */
const parts = `
  select 'alter table error_reports drop constraint ' || quote_ident(conname) as off,
    'alter table error_reports add constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as on
  from pg_constraint where conrelid = 'error_reports'::regclass
  union all
  select 'drop index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
  from pg_index where indrelid = 'error_reports'::regclass and not indisprimary`

/** Reports of the last 90 days, made by the database itself, and what it does later of its own accord: vacuum, checkpoint. */
export const seedErrorReports = async (database: Database, count: number): Promise<void> => {
  await database.scriptTransaction(async (run) => {
    await run("set local maintenance_work_mem = '512MB'")
    await run("set local work_mem = '64MB'")
    for (const statement of statements) await run(statement)
    await run(buckets, [count])
    const all = (await run(parts)) as { readonly off: string; readonly on: string }[]
    for (const { off } of all) await run(off)
    await run('alter table error_reports disable trigger user')
    await run(reports, [count])
    await run('alter table error_reports enable trigger user')
    for (const { on } of all) await run(on)
    await run(counts)
  })
  await sql`vacuum (analyze) error_reports`.execute(database.db)
  await database.scriptTransaction((run) => run('analyze'))
  await sql`checkpoint`.execute(database.db)
}
