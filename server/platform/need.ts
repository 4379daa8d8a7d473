import type { Principal } from './auth/principal.ts'
import type { Db } from './db/database.ts'
import { maxCounted } from './lists/page.ts'

/** How many things wait for somebody to do something about them. */
export interface Need<Kind extends string = string> {
  readonly kind: Kind
  /** Up to 10,000. */
  readonly count: number
  readonly isMore: boolean
  /** Where they are in the console. */
  readonly path: string
}

/** Counts what needs somebody, as far as the principal may see it, in few rows however many there are. */
export type FindNeeds<Kind extends string = string> = (
  db: Db,
  principal: Principal,
  now: Date,
) => Promise<readonly Need<Kind>[]>

/** @param counted how many, counted up to one more than `maxCounted` at least. */
export const needOf = <Kind extends string>(kind: Kind, path: string, counted: number): Need<Kind> => ({
  kind,
  path,
  count: Math.min(counted, maxCounted),
  isMore: counted > maxCounted,
})
