import { invalidField } from '../errors.ts'

/** Rows up to which a bounded count is exact, and up to which there are pages (contract, section 1). */
export const maxCounted = 10_000

/** What of a list is asked for: a page, or what follows a row (contract, section 1, "Lists"). */
export interface Page {
  readonly page: number
  readonly limit: number
  /** Where the page before this one ended, in lists whose counts are bounded; `page` does not count then. */
  readonly cursor?: string
}

export interface Rows<T> {
  readonly rows: readonly T[]
  /** Rows on all pages. */
  readonly count: number
  /** Of a list whose count is bounded. */
  readonly bounded?: {
    /** Whether there are more rows than `count`. */
    readonly isMore: boolean
    /** The first key of the rows that were counted; null or absent where none were. */
    readonly firstKey?: number | null
    /** Where the page ends; undefined on the last one, and where pages lead on as far as the count does. */
    readonly next: string | undefined
  }
}

/** The same page of a list, each row as something else. */
export const mapRows = <T, U>({ rows, ...found }: Rows<T>, change: (row: T) => U): Rows<U> => ({
  ...found,
  rows: rows.map((row) => change(row)),
})

/** Rows before the page. Beyond what the database can skip there is nothing anyway. */
export const offsetOf = ({ page, limit }: Page): number => Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)

/** @throws AppError 400 for a page behind those of a bounded count. */
export const refuseFarPage = (page: Page): void => {
  if (offsetOf(page) >= maxCounted)
    throw invalidField(
      'page',
      `There are pages up to row ${maxCounted}. Narrow the list, or follow the \`next\` of \`Link\`.`,
    )
}

/** What a bounded count says of a list without cursors. @param count of the rows, or of those that were met before it stopped. */
export const boundedCount = (count: number): Pick<Rows<never>, 'count' | 'bounded'> =>
  count > maxCounted ? { count: maxCounted, bounded: { isMore: true, next: undefined } } : { count }

/** The page of a list that is in memory as a whole. */
export const pageOf = <T>(all: readonly T[], page: Page): Rows<T> => ({
  rows: all.slice(offsetOf(page)).slice(0, page.limit),
  count: all.length,
})
