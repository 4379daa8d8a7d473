import type { Db, Tx } from '#platform/db/database.ts'

/** A try to create an order that failed, for whoever finds out why. Credentials are not masked yet. */
export interface OrderFailure {
  readonly orderId: number
  readonly orderNumber: string
  readonly quotationId: number
  readonly quotationNumber: string
  /** When it failed. */
  readonly at: Date
  /** The cause in a word, such as `http_503`, and in a sentence. */
  readonly errorCode: string
  readonly errorDesc: string
  /** What the platform was sent, and what it answered. */
  readonly rawRequest: string
  readonly rawResponse: string
}

/** Keeps the error reports of orders: of each order one at most is open. */
export interface OrderFailures {
  /** Opens the report of an order, or renews the open one. Takes the turn of all who change reports, so it comes first in `tx`. */
  report(tx: Tx, failure: OrderFailure): Promise<void>
  /** Resolves the open report of an order, if there is one. It comes first in `tx` too. */
  resolve(tx: Tx, orderId: number): Promise<void>
  /** Keeps other changes of reports waiting until `tx` ends. It comes before the locks of quotations and orders. */
  takeTurn(tx: Tx): Promise<void>
  /** Writes down in the open reports of these who had them tried again. The caller has taken the turn. */
  retried(tx: Tx, orderIds: readonly number[], by: number): Promise<void>
  /** Where the API shows the open reports of these, by id, from the root of this server. */
  openReports(db: Db | Tx, orderIds: readonly number[]): Promise<ReadonlyMap<number, string>>
}
