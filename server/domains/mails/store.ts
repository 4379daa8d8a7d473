import type { Db } from '#platform/db/database.ts'
import { OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, oneOf, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { mailPurposes, mailStatuses } from '#platform/mail/mail-store.ts'
import type { ListedRow } from './schemas.ts'

export const mailList = defineList({
  orderings: { id: 'id', created_at: 'createdAt' },
  defaultOrdering: '-id',
  // A log: what is counted ends at 10,000.
  count: 'bounded',
  filters: {
    to: contains('toAddress', 'the address'),
    status: oneOf('status', OneOf(mailStatuses)),
    purpose: oneOf('purpose', OneOf(mailPurposes)),
    created_at: time('createdAt', 'Made'),
  },
})

const listedColumns = [
  'id',
  'toAddress',
  'purpose',
  'locale',
  'subject',
  'text',
  'sealed',
  'status',
  'attempts',
  'error',
  'createdAt',
  'sentAt',
] as const satisfies readonly (keyof ListedRow)[]

/** A page of the messages that fit the query. */
export const listMails = (db: Db, query: Page): Promise<Rows<ListedRow>> =>
  readList(db, mailList, query, db.selectFrom('mails').select(listedColumns))
