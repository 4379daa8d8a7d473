import type { Condition, EventFilter, Scalar } from '#delivery/subscriber/event-filter.ts'
import type { Problems } from '#platform/problems.ts'
import { isObject, readObject, refuse } from './read-object.ts'

export const filterLimits = {
  maxConditions: 10,
  maxValues: 50,
  maxCharacters: 256,
  /** Up to ten names joined by dots. */
  pathPattern: String.raw`^[\w-]{1,64}(?:\.[\w-]{1,64}){0,9}$`,
} as const
const { maxConditions, maxValues, maxCharacters } = filterLimits
const path = new RegExp(filterLimits.pathPattern)

/**
 * Reads the `filter` of `config` (contract, section 4); null and an empty one are none.
 * @returns undefined when it is not named, or when `problems` says what is wrong with it.
 */
export const parseFilter = (given: unknown, problems: Problems): EventFilter | null | undefined => {
  if (given === undefined) return undefined
  if (given === null) return null
  if (!isObject(given)) return refuse(problems, 'config.filter', 'Expected an object of paths and conditions, or null.')
  const conditions = Object.entries(given)
  if (conditions.length === 0) return null
  if (conditions.length > maxConditions)
    return refuse(problems, 'config.filter', `Give at most ${maxConditions} conditions.`)
  const wrong = conditions.map(([name, condition]) => {
    const field = `config.filter.${name}`
    if (path.test(name)) return isWrong(condition, field, problems)
    problems.add(field, 'Expected a path in the object, such as status or items.sku.')
    return true
  })
  return wrong.includes(true) ? undefined : (given as EventFilter)
}

/** Says what is wrong with a condition. @returns whether something is. */
const isWrong = (condition: unknown, field: string, problems: Problems): condition is Exclude<unknown, Condition> => {
  if (isObject(condition) && Object.keys(condition).length > 0)
    return readObject(condition, field, limits, problems) === undefined
  const values: unknown[] = Array.isArray(condition) ? condition : [condition]
  if (values.length > 0 && values.length <= maxValues && values.every(isScalar)) return false
  problems.add(
    field,
    `Expected a text of at most ${maxCharacters} characters, a number, true, false, null, ` +
      `1 to ${maxValues} of these in an array, or an object of gt, gte, lt, lte and exists.`,
  )
  return true
}

const isScalar = (value: unknown): value is Scalar => value === null || typeof value === 'boolean' || isLimit(value)

const isLimit = (value: unknown): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= maxCharacters)

const limitProblem = (value: unknown): string | undefined =>
  isLimit(value) ? undefined : `Expected a number, or a text of at most ${maxCharacters} characters.`

const limits = {
  fields: {
    gt: limitProblem,
    gte: limitProblem,
    lt: limitProblem,
    lte: limitProblem,
    exists: (value: unknown) => (typeof value === 'boolean' ? undefined : 'Expected true or false.'),
  },
  required: [],
  unknown: () => 'Unknown operator; expected: gt, gte, lt, lte, exists.',
}
