import { sql } from 'kysely'
import { contentTypes } from '#events/content-types.ts'
import type { Database } from '#platform/db/database.ts'

const { product, order, batchrequest, productprice, city, channel } = contentTypes

/** Of the reports: 20 channels in 4 catalogues, 5 kinds of action, one in ten about a product, six in ten resolved. */
const shape = `
  select number,
    1 + number % 20 as channel_id,
    (array[${product}, ${order}, ${batchrequest}, ${productprice}, ${city}])[1 + number / 20 % 5] as action_content_type,
    case when number / 100 % 10 = 0 then ${product} else ${channel} end as target_content_type,
    case when number / 100 % 10 = 0 then (100 + number % 5000)::text else (1 + number % 20)::text end as target_object_id,
    number / 100 % 10 <> 0 as targets_channel,
    number / 1000 % 10 < 6 as is_ok,
    case when number / 1000 % 10 < 3 then null else 1 + number % 100 * 20 + number / 700 % 20 end as group_id
  from generate_series(1, $1::integer) as number`

const statements = [
  `insert into catalogs (name, created_at, modified_at)
   select 'Catalogue ' || number, now(), now() from generate_series(1, 4) as number`,
  `insert into channels (name, catalog_id, created_at, modified_at)
   select 'Channel ' || number, 1 + number % 4, now(), now() from generate_series(1, 20) as number`,
  `insert into error_report_groups (algorithm, fingerprint, action_content_type, title, code_pattern, state,
     first_seen_at, last_seen_at, latest_change_at, count, open_count)
   select 1, 'seeded ' || number, ${product}, 'ProductIntegrationError', 'custom', 'open', now(), now(), now(), 1, 1
   from generate_series(1, 2000) as number`,
]

const cells = `
  insert into error_report_cells (channel_id, action_content_type, target_content_type, targets_channel, is_ok)
  select distinct channel_id, action_content_type, target_content_type, targets_channel, is_ok from (${shape}) as shape`

/** Codes: one in ten is "custom", one in ten that of a city, the others are made unique as channels do. */
const reports = `
  insert into error_reports (
    group_id, channel_id, action_content_type, action_object_id, target_content_type, target_object_id, cell_id,
    obj_modified_date, error_code, error_desc, is_ok, was_ok_at_creation, raw_request, raw_response, body_hash,
    created_at, updated_at)
  select shape.group_id, channel_id, action_content_type, 1 + number::bigint * 7919 % 200000, target_content_type,
    target_object_id, cell.id, made_at,
    case number % 10 when 3 then 'custom' when 7 then 'integrations_200_10_2'
      else number || '-Channel-BatchRequest-' || 1763717400 + number end,
    (array['ProductIntegrationError', 'StockError', 'PriceError', 'ConnectionError'])[1 + number / 30 % 4],
    is_ok, is_ok, 'POST-https://shop.example/api/products/' || number || '-' || repeat('{"sku": "CHAIR-OAK"}', 10),
    'HTTP 422 ' || md5(number::text) || repeat(' the product is not known here,', 15), md5(number::text),
    made_at, made_at
  from (${shape}) as shape join error_report_cells cell
    using (channel_id, action_content_type, target_content_type, targets_channel, is_ok)
  cross join lateral (select now() - interval '90 days' * (1 - number::float8 / $1) as made_at) as time
  order by number`

const counts = `
  insert into error_report_counts (group_id, day, cell_id, count)
  select 0, '-infinity', cell_id, count(*) from error_reports group by cell_id
  union all select 0, (created_at at time zone 'UTC')::date, cell_id, count(*) from error_reports group by 2, cell_id
  union all select group_id, '-infinity', cell_id, count(*) from error_reports where group_id is not null
  group by group_id, cell_id`

/** Reports of the last 90 days, made by the database itself, and what vacuum does later of its own accord. */
export const seedErrorReports = async (database: Database, count: number): Promise<void> => {
  await database.scriptTransaction(async (run) => {
    for (const statement of statements) await run(statement)
    await run(cells, [count])
    await run(reports, [count])
    await run(counts)
  })
  await database.scriptTransaction((run) => run('analyze'))
  await sql`vacuum error_reports`.execute(database.db)
}
