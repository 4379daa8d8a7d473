/** What events must be like besides their name: conditions by paths in their object, all of which must hold (contract, section 4). */
export type EventFilter = Readonly<Record<string, Condition>>

/** A value, one of several, or limits. */
export type Condition = Scalar | readonly Scalar[] | Limits
export type Scalar = string | number | boolean | null

export interface Limits {
  readonly gt?: number | string
  readonly gte?: number | string
  readonly lt?: number | string
  readonly lte?: number | string
  readonly exists?: boolean
}

/**
 * A filter as an SQL/JSON path over the stored body of an event. Where the path leads through a list, one of its elements
 * must be so. A limit that is a number compares numbers, and texts that are one, such as money; a text compares texts.
 */
export const filterPath = (filter: EventFilter): string =>
  Object.entries(filter)
    .map(([path, condition]) => `(${conditionPath(bodyPath(path), condition)})`)
    .join(' && ')

/**
 * Where events are found by their values: the first condition that asks for some, and those; undefined when none does.
 */
export const filterKeys = (
  filter: EventFilter,
): { readonly on: string; readonly values: readonly Scalar[] } | undefined => {
  const found = Object.entries(filter).find(([, condition]) => !isLimits(condition))
  // Of a list its elements, of anything else the thing itself.
  return found && { on: `${bodyPath(found[0])}[*]`, values: [found[1] as Scalar | readonly Scalar[]].flat() }
}

export const isLimits = (condition: Condition): condition is Limits =>
  typeof condition === 'object' && condition !== null && !Array.isArray(condition)

const bodyPath = (path: string): string => ['$', '"data"', ...path.split('.').map(quoted)].join('.')

/** JSON and SQL/JSON paths write texts alike. */
const quoted = (value: Scalar): string => JSON.stringify(value)

const conditionPath = (path: string, condition: Condition): string => {
  if (!isLimits(condition))
    return [condition]
      .flat()
      .map((value) => `${path} == ${quoted(value)}`)
      .join(' || ')
  const { exists, ...limits } = condition
  const compared = Object.entries(limits).map(([name, limit]: [string, number | string]) => {
    const value = typeof limit === 'number' ? `${path}.double()` : path
    return `${value} ${operators[name as keyof typeof operators]} ${quoted(limit)}`
  })
  const found = exists === undefined ? [] : [`${exists ? '' : '!'}exists (${path})`]
  return [...found, ...compared].map((one) => `(${one})`).join(' && ')
}

const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
