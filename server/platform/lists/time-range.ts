import { dayMs } from '../clock.ts'
import { invalidField } from '../errors.ts'
import { notATime, parseTime } from '../time-text.ts'

/** Moments from one (inclusive) to another (not). */
export interface TimeRange {
  readonly from?: Date
  readonly before?: Date
}

export const comparisons = ['gt', 'gte', 'lt', 'lte'] as const
export type Comparison = 'is' | (typeof comparisons)[number]

/**
 * What a date without a time means: nothing, all of that day (in UTC), or all of it where it must be equal and its first
 * moment where it is compared, as the original hook service has it.
 */
export type Dates = 'refused' | 'days' | 'beginnings'

/** No time that can be given is later than the end of the year 9999. */
const endOfTime = Date.UTC(10_000, 0)

const dateForm = /^\d{4}-\d{2}-\d{2}$/

/** The moments that a text leaves. @throws AppError 400 that names the field. */
export const readTimeRange = (text: string, field: string, comparison: Comparison, dates: Dates): TimeRange => {
  const isDate = dates !== 'refused' && dateForm.test(text)
  const from = parseTime(isDate ? `${text}T00:00:00Z` : text)
  if (from === undefined)
    throw invalidField(field, dates === 'refused' ? notATime : `${notATime.slice(0, -1)}, or a date.`)
  const isDay = isDate && (dates === 'days' || comparison === 'is')
  // Times are kept in whole milliseconds.
  const end = new Date(from.getTime() + (isDay ? dayMs : 1))
  const upTo = end.getTime() < endOfTime ? { before: end } : {}
  const ranges: Record<Comparison, TimeRange> = {
    is: { from, ...upTo },
    gt: { from: end },
    gte: { from },
    lt: { before: from },
    lte: upTo,
  }
  return ranges[comparison]
}

/** The moments that all filters of one time leave together. @throws AppError 400 that names a filter. */
export const readTimeRanges = (
  query: Readonly<Record<string, unknown>>,
  name: string,
  { dates = 'refused', path = '' }: { readonly dates?: Dates; readonly path?: string } = {},
): TimeRange => {
  const ranges = (['is', ...comparisons] as const).flatMap((comparison) => {
    const filter = comparison === 'is' ? name : `${name}__${comparison}`
    const text = query[filter]
    return typeof text === 'string' ? [readTimeRange(text, `${path}${filter}`, comparison, dates)] : []
  })
  const from = Math.max(...ranges.map((range) => range.from?.getTime() ?? -Infinity))
  const before = Math.min(...ranges.map((range) => range.before?.getTime() ?? Infinity))
  return {
    ...(Number.isFinite(from) ? { from: new Date(from) } : {}),
    ...(Number.isFinite(before) ? { before: new Date(before) } : {}),
  }
}
