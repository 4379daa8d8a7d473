import { standardBody } from '#delivery/tables/envelope.ts'
import { hourMs, minuteMs } from '#platform/clock.ts'
import type { RunScript } from '#platform/db/database.ts'
import type { HistoryEvent } from './event.ts'

interface OrderRow {
  readonly id: number
  readonly key: string
  readonly createdAt: Date
}

const pendingOrders = `
  select id, quotation_id || '-' || revision || '-' || division_id || '-' || batch_no as key, created_at as "createdAt"
  from quotation_orders where status = 'pending' order by id`

const refusal = 'The platform answered 422. {"error":"Customer TR-135 is blocked for orders"}'

/**
 * What became of the orders: the ledger has numbered most, some were refused and wait for somebody, and the last ones wait to
 * be tried. @returns what that raised.
 */
export const settleOrders = async (run: RunScript, now: Date): Promise<HistoryEvent[]> => {
  const rows = (await run(pendingOrders)) as unknown as OrderRow[]
  const settled: HistoryEvent[] = []
  for (const [index, row] of rows.entries()) {
    const at = new Date(row.createdAt.getTime() + 2_000 + (index % 7) * 400)
    const isLate = index >= rows.length - 2
    // The last one has not been tried yet.
    if (index === rows.length - 1) {
      await run('update quotation_orders set next_attempt_at = $2 where id = $1', [row.id, inHours(now, 3)])
      break
    }
    const changes = index % 6 === 5 || isLate ? refused(now, at, isLate) : await created(run, row, at)
    settled.push(...(await writeOrder(run, row.id, changes)))
  }
  return settled
}

interface Changes {
  readonly status: 'created' | 'failed'
  readonly remote_number: string | null
  readonly attempts: number
  readonly error: string | null
  readonly next_attempt_at: Date | null
  readonly modified_at: Date
}

const created = async (run: RunScript, { id, key }: OrderRow, at: Date): Promise<Changes> => {
  const [kept] = (await run(
    `insert into ledger_orders (key, content, created_at)
     select $2, json_build_object('number', number, 'amount', amount::text, 'quantity', quantity, 'items', items::json)::text, $3
     from quotation_orders where id = $1 returning id`,
    [id, key, at],
  )) as unknown as readonly { readonly id: number }[]
  return {
    status: 'created',
    remote_number: `L-${kept?.id}`,
    attempts: 1,
    error: null,
    next_attempt_at: null,
    modified_at: at,
  }
}

const inHours = (now: Date, hours: number): Date => new Date(now.getTime() + hours * hourMs)

/** @param isLate whether it is tried again by itself, in some hours. */
const refused = (now: Date, at: Date, isLate: boolean): Changes => ({
  status: 'failed',
  remote_number: null,
  attempts: isLate ? 3 : 20,
  error: refusal,
  next_attempt_at: isLate ? inHours(now, 2) : null,
  modified_at: new Date(Math.min(now.getTime(), at.getTime() + (isLate ? 4 * minuteMs : 14 * hourMs))),
})

/** Writes an order. @returns the event that says so, made of the one that said that it waits. */
const writeOrder = async (run: RunScript, id: number, changes: Changes): Promise<HistoryEvent[]> => {
  const { status, remote_number, attempts, error, next_attempt_at, modified_at } = changes
  await run(
    `update quotation_orders set status = $2, remote_number = $3, attempts = $4, error = $5, next_attempt_at = $6, modified_at = $7
     where id = $1`,
    [id, status, remote_number, attempts, error, next_attempt_at, modified_at],
  )
  const [before] = (await run(
    `select object_id as "objectId", (body::json -> 'data')::text as data
     from events where type = 'quotation.order.pending' and (body::json -> 'data' ->> 'id')::bigint = $1`,
    [id],
  )) as unknown as readonly { readonly objectId: string; readonly data: string }[]
  if (before === undefined) return []
  const type = `quotation.order.${status}`
  const order = { ...(JSON.parse(before.data) as object), status, remote_number, attempts, error, modified_at }
  const object = { scope: 'back-office', objectType: 'quotation', objectId: before.objectId }
  return [{ ...object, type, at: modified_at, body: standardBody(type, modified_at, order) }]
}
