import type { TFunction } from 'i18next'
import { formatNumber, formatMoment } from '#ui/texts/format.ts'
import type { Records } from './records.ts'

interface Named {
  /** The parameter of the API, which is the one in the address too. */
  readonly name: string
  /** What people call it: a key of the list's texts. */
  readonly label: string
}

/** One value of a filter: its label is a key of the list's texts, its name is shown as it is (of a channel, of somebody). */
export type Choice = { readonly value: string } & ({ readonly label: string } | { readonly name: string })

/** What a choice is called. @param own texts of the list */
export const choiceName = (choice: Choice, own: TFunction): string =>
  'name' in choice ? choice.name : own(choice.label)

/** What a list can be narrowed by. `time` and `amount` are ranges: `__gte` and `__lt` of their name. */
export type Filter =
  | (Named & { readonly kind: 'number' | 'time' | 'amount' | 'yesno' })
  | (Named & {
      readonly kind: 'text'
      /** Whether the API takes the parameter more than once; people part the values by commas. */
      readonly isRepeatable?: boolean
    })
  | (Named & {
      readonly kind: 'choice'
      readonly choices: readonly Choice[]
      /** Whether the API takes the parameter more than once. */
      readonly isRepeatable?: boolean
    })
  /** The id of a record, which is chosen and shown by its name. */
  | (Named & { readonly kind: 'record'; readonly records: Records })

/** Some values of a field, which the texts of the list name as `field.<name>` and `<name>.<value>`. */
export const choiceFilter = (name: string, values: readonly string[]): Extract<Filter, { kind: 'choice' }> => ({
  name,
  label: `field.${name}`,
  kind: 'choice',
  isRepeatable: true,
  choices: values.map((value) => ({ value, label: `${name}.${value}` })),
})

/** Values of the address by parameter. */
export type Search = Readonly<Record<string, string | readonly string[] | undefined>>

/** The parameters that a filter is made of. */
export const parametersOf = (filter: Filter): readonly string[] =>
  filter.kind === 'time' || filter.kind === 'amount' ? [`${filter.name}__gte`, `${filter.name}__lt`] : [filter.name]

export const isActive = (filter: Filter, search: Search): boolean =>
  parametersOf(filter).some((name) => (search[name] ?? '') !== '')

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const distance = /^-(\d+)([mhd])$/

/** Whether a time of an address goes on with the clock. */
export const isDistance = (value: string): boolean => distance.test(value)

/**
 * A time in an address: RFC 3339, or a distance to now such as `-6h` (`m`, `h`, `d`), which keeps a link live.
 * @returns RFC 3339, on the minute for a distance, so that the same question is asked until the minute is over.
 */
export const resolveTime = (value: string, now: Date): string => {
  const [, count, unit] = distance.exec(value) ?? []
  if (count === undefined || unit === undefined) return value
  const minute = Math.floor(now.getTime() / 60_000) * 60_000
  return new Date(minute - Number(count) * (unitMs[unit] ?? 0)).toISOString()
}

/** What the API is asked of an address: its known parameters, times resolved. */
export const toQuery = (
  filters: readonly Filter[],
  search: Search,
  now: Date,
): Record<string, string | readonly string[]> => {
  const query: Record<string, string | readonly string[]> = {}
  for (const filter of filters)
    for (const name of parametersOf(filter)) {
      const value = search[name]
      if (value !== undefined && value !== '')
        query[name] = isTimed(filter) && typeof value === 'string' ? resolveTime(value, now) : value
    }
  return query
}

/** A choice can be a moment too: `-0m` is now. */
const isTimed = ({ kind }: Filter): boolean => kind === 'time' || kind === 'choice'

type Translate = TFunction<'texts'>

interface Words {
  /** Texts of the namespace `texts`. */
  readonly t: Translate
  /** Texts of the list. */
  readonly own: TFunction
  /** What the records are called that filters name, by the name of the filter. */
  readonly names: ReadonlyMap<string, string>
}

/** A filter's value as its badge says it. */
export const describeValue = (filter: Filter, search: Search, { t, own, names }: Words): string => {
  const values = parametersOf(filter).map((name) => search[name])
  if (filter.kind === 'time') return describeRange(values, t, describeTime(t))
  if (filter.kind === 'amount') return describeRange(values, t, (value) => formatNumber(Number(value)))
  const all = values.flat().filter((one) => one !== undefined)
  if (filter.kind === 'yesno') return t(all[0] === 'true' ? 'yes' : 'no')
  if (filter.kind === 'record') return names.get(filter.name) ?? `#${all.join(', ')}`
  if (filter.kind !== 'choice') return all.join(', ')
  return all
    .map((value) => {
      const choice = filter.choices.find((one) => one.value === value)
      return choice === undefined ? value : choiceName(choice, own)
    })
    .join(', ')
}

const describeTime =
  (t: Translate) =>
  (value: string): string => {
    const [, count, unit] = distance.exec(value) ?? []
    const key = { m: 'list.last_minutes', h: 'list.last_hours', d: 'list.last_days' }[unit ?? '']
    return key === undefined ? formatMoment(new Date(value)) : t(key, { count: Number(count) })
  }

const describeRange = (
  [from, until]: readonly (string | readonly string[] | undefined)[],
  t: Translate,
  describe: (value: string) => string,
): string => {
  const low = typeof from === 'string' ? describe(from) : undefined
  const high = typeof until === 'string' ? describe(until) : undefined
  if (low !== undefined && high !== undefined) return `${low} – ${high}`
  if (low === undefined) return t('list.below', { value: high })
  return typeof from === 'string' && isDistance(from) ? low : t('list.at_least', { value: low })
}
