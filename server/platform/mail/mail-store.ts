import { sql, type Generated, type Selectable } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { SealedColumn } from '../crypto/reseal.ts'
import type { MailLocale } from './reader.ts'

/** What messages are about. */
export const mailPurposes = ['quotation', 'endpoint_health', 'password_reset', 'invitation'] as const
export type MailPurpose = (typeof mailPurposes)[number]

/**
 * `kept`: there is no server to send it, so it waits to be read; `waiting`: to be sent, or to be offered again; `sent`: the server
 * took it; `failed`: it did not, and is not asked again. A message that was kept or failed can be made to wait again.
 */
export const mailStatuses = ['kept', 'waiting', 'sent', 'failed'] as const
export type MailStatus = (typeof mailStatuses)[number]

interface MailsTable {
  id: Generated<number>
  toAddress: string
  purpose: MailPurpose
  locale: MailLocale
  subject: string
  text: string | null
  html: string | null
  sealed: string | null
  status: MailStatus
  round: Generated<number>
  attempts: Generated<number>
  error: string | null
  messageId: Generated<string>
  createdAt: Date
  sentAt: Date | null
}
declare module '../db/database.ts' {
  interface Tables {
    mails: MailsTable
  }
}

export type StoredMail = Readonly<Selectable<MailsTable>>
export type NewMail = Pick<
  StoredMail,
  'toAddress' | 'purpose' | 'locale' | 'subject' | 'text' | 'html' | 'sealed' | 'status' | 'createdAt'
>

/** Where bodies stand that let their reader in. */
export const sealedMails: SealedColumn = { table: 'mails', column: 'sealed' }

/** @returns their ids. */
export const insertMails = async (tx: Tx, mails: readonly NewMail[]): Promise<number[]> =>
  (await tx.insertInto('mails').values(mails).returning('id').execute()).map(({ id }) => id)

/** A message, its body sealed where it is secret. */
export const findMail = (db: Db | Tx, id: number): Promise<StoredMail | undefined> =>
  db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()

/** One time that a message was handed over to be sent. */
export interface Round {
  readonly mail: number
  readonly round: number
}

const waitingIn = (db: Db | Tx, { mail, round }: Round) =>
  db.updateTable('mails').where('id', '=', mail).where('round', '=', round).where('status', '=', 'waiting')

/** The server has taken it. What lets its reader in is not needed any more. */
export const noteSent = async (db: Db, round: Round, sentAt: Date): Promise<void> => {
  await waitingIn(db, round)
    .set({ status: 'sent', sentAt, sealed: null, error: null, attempts: sql`attempts + 1` })
    .execute()
}

/** The server was asked and has not taken it. */
export const noteRefused = async (db: Db, round: Round, error: string, isPermanent: boolean): Promise<void> => {
  const status = isPermanent ? 'failed' : 'waiting'
  await waitingIn(db, round)
    .set({ status, error, attempts: sql`attempts + 1` })
    .execute()
}

/** It is not tried again. */
export const noteFailed = async (db: Db, round: Round, error: string): Promise<void> => {
  await waitingIn(db, round)
    .set((is) => ({ status: 'failed', error: is.fn.coalesce('error', is.val(error)) }))
    .execute()
}

/** There is no server any more. */
export const noteKept = async (db: Db, round: Round): Promise<void> => {
  await waitingIn(db, round).set({ status: 'kept' }).execute()
}

/** Makes a message wait that was kept or failed. @returns undefined when it was neither. */
export const waitAgain = (tx: Tx, id: number): Promise<StoredMail | undefined> =>
  tx
    .updateTable('mails')
    .set({ status: 'waiting', error: null, round: sql`round + 1` })
    .where('id', '=', id)
    .where('status', 'in', ['kept', 'failed'])
    .returningAll()
    .executeTakeFirst()

/** Forgets what was made before this time, but for what is still to be sent. */
export const forgetMails = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('mails').where('createdAt', '<', before).where('status', '<>', 'waiting').execute()
}

/** How many messages are in some statuses; each counted up to 10,000. */
export const countMails = async (db: Db): Promise<Readonly<Record<'waiting' | 'failed' | 'kept', number>>> => {
  const count = (status: MailStatus) =>
    sql<number>`(select count(*) from (select from mails where status = ${sql.lit(status)} limit 10000) counted)`
  const { rows } = await sql<Record<'waiting' | 'failed' | 'kept', number>>`
    select ${count('waiting')} as waiting, ${count('failed')} as failed, ${count('kept')} as kept`.execute(db)
  return rows[0] ?? { waiting: 0, failed: 0, kept: 0 }
}
