import type { Static } from 'typebox'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Write } from '#platform/http/idempotency.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Addressee } from '#platform/mail/reader.ts'
import type { RemainingOf } from '../divisions/index.ts'
import type { QuotationOrder } from './terms/terms-schemas.ts'
import type { Notice } from './mail/notice.ts'

/** A person, as quotations need to know them. */
export interface Person extends Addressee {
  readonly id: number
  readonly firstName: string
  readonly lastName: string
  readonly isActive: boolean
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  /** The division that a buyer orders for. */
  readonly division: number | null
}

/** What becomes of approved quotations: filled in by the slice of orders. */
export interface Orders {
  /** Makes the orders of a quotation that are missing, and queues failed ones again. Nothing when all are there. */
  readonly createMissing: (tx: Tx, quotationId: number) => Promise<unknown>
  /** The orders of a quotation as the API shows them. */
  readonly ordersOf: (db: Db | Tx, quotationId: number) => Promise<readonly Static<typeof QuotationOrder>[]>
}

/** Sends e-mail to those who have to know, if `tx` commits. */
export type Notify = (tx: Tx, notices: readonly Notice[]) => Promise<void>

export interface QuotationDeps extends SliceDeps {
  /** Writes of the storefront: those of one buyer come one after the other. */
  readonly writeAsBuyer: Write
  readonly outbox: Pick<Outbox, 'append'>
  /** These people; those who do not exist are left out. */
  readonly findPeople: (db: Db | Tx, ids: readonly number[]) => Promise<readonly Person[]>
  readonly orders: Orders
  readonly notify: Notify
  /** For baskets. */
  readonly remainingOf: RemainingOf
  /** Most units of an order, as configured; each quotation keeps what it was when it was approved. */
  readonly batchSize: number
}
