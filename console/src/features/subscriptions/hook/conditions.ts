import type { Schema } from '#api/types.ts'

export type Filter = Schema<'HookFilter'>

export const operators = ['is', 'any', 'gt', 'gte', 'lt', 'lte', 'exists', 'missing'] as const
export type Operator = (typeof operators)[number]

/** One condition of a filter, as a person writes it. */
export interface Condition {
  /** Identifies the row of the form. */
  readonly key: string
  /** Path in the object, such as `items.sku`. */
  readonly path: string
  readonly operator: Operator
  /** One value; several for `any`; none for `exists` and `missing`. */
  readonly values: readonly string[]
}

let made = 0

export const newCondition = (condition: Partial<Condition> = {}): Condition => ({
  path: '',
  operator: 'is',
  values: [],
  ...condition,
  key: String((made += 1)),
})

type Scalar = string | number | boolean | null

/** `10`, `true` and `null` are what they look like; a text that looks so is written in quotes: `"10"`. */
const read = (text: string): Scalar => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? text : (parsed as Scalar)
  } catch {
    return text
  }
}

const write = (value: Scalar): string =>
  typeof value === 'string' && read(value) === value ? value : JSON.stringify(value)

/** Whether a condition can be sent: it names a path, and what it compares with. */
export const isWhole = ({ path, operator, values }: Condition): boolean =>
  path.trim() !== '' && (operator === 'exists' || operator === 'missing' || values.some((value) => value !== ''))

/** The conditions as the API takes them; undefined for none. Limits of one path are put together. */
export const toFilter = (conditions: readonly Condition[]): Filter | undefined => {
  const filter: Record<string, unknown> = {}
  for (const condition of conditions.filter(isWhole)) {
    const path = condition.path.trim()
    const next = toValue(condition)
    const before = filter[path]
    filter[path] = isLimits(before) && isLimits(next) ? { ...before, ...next } : next
  }
  return Object.keys(filter).length === 0 ? undefined : (filter as Filter)
}

const toValue = ({ operator, values }: Condition): unknown => {
  const [first = ''] = values
  switch (operator) {
    case 'is':
      return read(first)
    case 'any':
      return values.map(read)
    case 'exists':
    case 'missing':
      return { exists: operator === 'exists' }
    default:
      return { [operator]: read(first) }
  }
}

const isLimits = (value: unknown): value is Readonly<Record<string, Scalar>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The conditions of a filter of the API, one for each limit. */
export const toConditions = (filter: object | undefined): readonly Condition[] =>
  Object.entries(filter ?? {}).flatMap(([path, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [newCondition({ path, operator: 'any', values: (value as Scalar[]).map(write) })]
    if (!isLimits(value)) return [newCondition({ path, operator: 'is', values: [write(value as Scalar)] })]
    return Object.entries(value).map(([operator, limit]) =>
      operator === 'exists'
        ? newCondition({ path, operator: limit === true ? 'exists' : 'missing' })
        : newCondition({ path, operator: operator as Operator, values: [write(limit)] }),
    )
  })

/** Paths that are compared both with a value and with limits, which one filter cannot say. */
export const conflictOf = (conditions: readonly Condition[]): string | undefined => {
  const paths = conditions.filter(isWhole).map(({ path }) => path.trim())
  return conditions.find(
    ({ path, operator }) =>
      (operator === 'is' || operator === 'any') && paths.filter((one) => one === path.trim()).length > 1,
  )?.path
}
