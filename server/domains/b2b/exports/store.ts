import { sql, type Generated, type Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Export, ExportRequest } from './export.ts'

export interface ExportsTable extends Omit<Export, 'id' | 'fields' | 'query' | 'status' | 'attempt' | 'rowsDone'> {
  id: Generated<number>
  /** JSON texts. */
  fields: string
  query: string
  status: Generated<Export['status']>
  attempt: Generated<number>
  rowsDone: Generated<number>
}
declare module '#platform/db/database.ts' {
  interface Tables {
    exports: ExportsTable
  }
}

export const toExport = (row: Selectable<ExportsTable>): Export => ({
  ...row,
  fields: JSON.parse(row.fields) as Export['fields'],
  query: JSON.parse(row.query) as Export['query'],
})
const found = (row: Selectable<ExportsTable> | undefined) => (row === undefined ? undefined : toExport(row))

/** Any number will do that nothing else of this server locks. */
const requesterLock = 1_174_923

/** Lets other requests of the same person wait until `tx` ends. */
export const lockRequester = async (tx: Tx, userId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${requesterLock}, hashtext(${String(userId)}))`.execute(tx)
}

/** Exports of a person that are not finished. */
export const countUnfinished = async (tx: Tx, userId: number, now: Date): Promise<number> => {
  const { count } = await tx
    .selectFrom('exports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('status', 'in', ['waiting', 'processing'])
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export const insertExport = async (
  tx: Tx,
  request: ExportRequest,
  made: Pick<Export, 'cacheKey' | 'createdAt' | 'expiresAt'>,
): Promise<Export> =>
  toExport(
    await tx
      .insertInto('exports')
      .values({
        ...request,
        ...made,
        fields: JSON.stringify(request.fields),
        query: JSON.stringify(request.query),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )

/** The export of a key, if this person asked for it, of the same thing, and it is still kept. */
export const findByKey = async (
  db: Db,
  { cacheKey, userId, quotationId }: Pick<Export, 'cacheKey' | 'userId' | 'quotationId'>,
  now: Date,
): Promise<Export | undefined> => {
  const row = await db
    .selectFrom('exports')
    .selectAll()
    .where('cacheKey', '=', cacheKey)
    .where('userId', '=', userId)
    .where('quotationId', 'is not distinct from', quotationId)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return found(row)
}

/** Begins the next try of an export that is not finished: whoever had it before cannot finish it any more. */
export const beginTry = async (db: Db, id: number, now: Date): Promise<Export | undefined> => {
  const row = await db
    .updateTable('exports')
    .set((eb) => ({
      status: 'processing' as const,
      attempt: eb('attempt', '+', 1),
      rowsDone: 0,
      rowsTotal: null,
      error: null,
    }))
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'processing'])
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
  return found(row)
}

/** Changes the export of a try. @returns false when another try has begun since: nothing is changed then. */
export const changeTry = async (
  db: Db | Tx,
  { id, attempt }: Pick<Export, 'id' | 'attempt'>,
  values: Partial<Omit<Export, 'id' | 'attempt' | keyof ExportRequest>>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set(values)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'processing')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives an export up. @returns false when it was finished after all. */
export const failExport = async (tx: Tx, id: number, error: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ status: 'failed', error, finishedAt: now })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'processing'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const findExport = async (db: Db | Tx, id: number): Promise<Export | undefined> =>
  found(await db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst())

/** Lets an export wait again if it failed. @returns whether it does, and the export as it is now; nothing when it is gone. */
export const reviveExport = async (tx: Tx, id: number, expiresAt: Date) => {
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ status: 'waiting', error: null, finishedAt: null, expiresAt })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .executeTakeFirst()
  return { isRevived: numUpdatedRows > 0n, now: await findExport(tx, id) }
}

/** Some whose time is over. */
export const findExpired = async (db: Db, now: Date, most: number): Promise<Export[]> => {
  const rows = await db
    .selectFrom('exports')
    .selectAll()
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(most)
    .execute()
  return rows.map(toExport)
}

export const deleteExports = async (db: Db, ids: readonly number[], now: Date): Promise<void> => {
  await db.deleteFrom('exports').where('id', 'in', ids).where('expiresAt', '<=', now).execute()
}

/** What the quotation of an export of items is called; undefined when there is none. */
export const quotationNumber = async (db: Db | Tx, id: number): Promise<string | undefined> =>
  (await db.selectFrom('quotations').select('number').where('id', '=', id).executeTakeFirst())?.number
