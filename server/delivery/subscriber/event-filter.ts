/**
 * What events must be like besides their name: conditions by paths in their object, all of which must hold (contract, section 4).
 * The database judges them: `filter_path` and `fulfils` (0043_filters_judged_once.sql).
 */
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
 * Where in their bodies events are found that a filter may hold for, as an SQL/JSON path, and what is to be there: the values
 * of the first condition that asks for some. Of any event it is true that true is true.
 */
export const filterKeys = (filter: EventFilter): { readonly on: string; readonly values: readonly Scalar[] } => {
  const found = Object.entries(filter).find(([, condition]) => !isLimits(condition))
  if (found === undefined) return { on: 'true', values: [true] }
  const [path, condition] = found
  // Of a list its elements, of anything else the thing itself.
  return {
    on: `$."data"."${path.replaceAll('.', '"."')}"[*]`,
    values: [condition as Scalar | readonly Scalar[]].flat(),
  }
}

export const isLimits = (condition: Condition): condition is Limits =>
  typeof condition === 'object' && condition !== null && !Array.isArray(condition)
