import { invalidField } from '#platform/errors.ts'

/** Milliseconds from one moment up to, not including, another. */
export interface CreatedRange {
  readonly createdFrom: Date | undefined
  readonly createdBefore: Date | undefined
}

type Comparison = 'created_date' | `created_date__${'gt' | 'gte' | 'lt' | 'lte'}`

export const createdDateFilters = [
  'created_date',
  'created_date__gt',
  'created_date__gte',
  'created_date__lt',
  'created_date__lte',
] as const

/** What each filter leaves, in whole milliseconds: `span` is what the value itself covers (a day, or one millisecond). */
const ranges: Record<Comparison, (value: number, span: number) => { from?: number; before?: number }> = {
  created_date: (value, span) => ({ from: value, before: value + span }),
  created_date__gt: (value) => ({ from: value + 1 }),
  created_date__gte: (value) => ({ from: value }),
  created_date__lt: (value) => ({ before: value }),
  created_date__lte: (value) => ({ before: value + 1 }),
}

const dayMs = 86_400_000

/**
 * Reads the `created_date` filters together. A date alone means that whole day where it must be equal, and
 * its first moment where it is compared (as the original does). Without a zone it is UTC.
 * @param path of the filters in the request, with a dot at its end.
 * @throws AppError 400 that names the filter that is not a date.
 */
export const createdRange = (query: { readonly [C in Comparison]?: string }, path = ''): CreatedRange => {
  const wanted = createdDateFilters.flatMap((name) => {
    const text = query[name]
    return text === undefined
      ? []
      : [ranges[name](momentOf(`${path}${name}`, text), /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayMs : 1)]
  })
  const from = Math.max(...wanted.map((range) => range.from ?? -Infinity))
  const before = Math.min(...wanted.map((range) => range.before ?? Infinity))
  return {
    createdFrom: Number.isFinite(from) ? new Date(from) : undefined,
    createdBefore: Number.isFinite(before) ? new Date(before) : undefined,
  }
}

const form = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+-]\d{2}:\d{2})?)?$/

/** Reads a moment, in UTC where it names no zone. @throws AppError 400 that names the field. */
export const momentOf = (field: string, text: string): number => {
  const [, year = '', month = '', day = '', time = '00:00:00', zone = 'Z'] = form.exec(text) ?? []
  const moment = Date.parse(`${year}-${month}-${day}T${time}${zone.toUpperCase()}`)
  // The day is compared as well, because 31 February would become 3 March.
  const isReal = !Number.isNaN(moment) && new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day)
  if (isReal) return moment
  throw invalidField(field, 'Expected a date or a time, such as 2026-11-21 or 2026-11-21T09:30:00Z.')
}
