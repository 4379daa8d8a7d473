import { defaultStrategies, type RetryChoice, type RetryStrategy } from '#delivery/subscriber/retry.ts'
import type { Problems } from '#platform/problems.ts'

/** Parameters of each choice (contract, section 4). */
const parameters: Record<RetryChoice, { readonly required: readonly string[]; readonly optional: readonly string[] }> =
  {
    fixed: { required: ['seconds'], optional: [] },
    linear: { required: ['base'], optional: ['limit'] },
    exponential: { required: ['base'], optional: ['factor', 'limit'] },
    random: { required: ['min_value', 'max_value'], optional: [] },
  }

const choices = Object.keys(parameters).join(', ')

/** A week: the largest value a parameter may have (contract, section 11). */
const largest = 604_800

const field = 'retry_countdown_config'

/**
 * Reads `retry_countdown_config`: a bare name, `{choice}`, `{choice, kwargs}`, or null for the default.
 * @returns the strategy with every parameter that has an effect; undefined when `problems` says why not.
 */
export const parseRetryConfig = (input: unknown, problems: Problems): RetryStrategy | undefined => {
  if (input === null || input === undefined) return defaultStrategies.exponential
  if (typeof input === 'string') return bare(input, field, problems)
  if (!isObject(input)) return said(problems, field, `Expected one of ${choices}, or an object with choice and kwargs.`)

  const { choice, kwargs, ...others } = input
  for (const name of Object.keys(others)) problems.add(`${field}.${name}`, 'Unknown field.')
  if (choice === undefined) return said(problems, `${field}.choice`, 'This field is required.')
  if (typeof choice !== 'string') return said(problems, `${field}.choice`, `Expected one of: ${choices}.`)
  const fallback = bare(choice, `${field}.choice`, problems)
  if (fallback === undefined || kwargs === undefined || kwargs === null) return fallback
  return isObject(kwargs)
    ? withKwargs(fallback.choice, kwargs, problems)
    : said(problems, `${field}.kwargs`, 'Expected an object.')
}

const bare = (name: string, where: string, problems: Problems): RetryStrategy | undefined =>
  isChoice(name) ? defaultStrategies[name] : said(problems, where, `Expected one of: ${choices}.`)

const withKwargs = (
  choice: RetryChoice,
  kwargs: Record<string, unknown>,
  problems: Problems,
): RetryStrategy | undefined => {
  const { required, optional } = parameters[choice]
  // Clients that know the optional ones send them as null (the original accepts that).
  const given = Object.entries(kwargs).filter(([name, value]) => !(value === null && optional.includes(name)))
  const wrong = [
    ...required
      .filter((name) => !Object.hasOwn(kwargs, name))
      .map((name) => [name, `${choice} needs this parameter.`] as const),
    ...given.flatMap(([name, value]) =>
      problemOf(name, value, [...required, ...optional]).map((message) => [name, message] as const),
    ),
  ]
  for (const [name, message] of wrong) problems.add(`${field}.kwargs.${name}`, message)
  if (wrong.length > 0) return undefined

  const values = Object.fromEntries(given) as Record<string, number>
  if (choice === 'random' && Number(values['min_value']) > Number(values['max_value'])) {
    return said(problems, `${field}.kwargs.min_value`, 'Must be at most max_value.')
  }
  // The table above is what makes this a strategy.
  return { choice, kwargs: choice === 'exponential' ? { factor: 1, ...values } : values } as RetryStrategy
}

const problemOf = (name: string, value: unknown, known: readonly string[]): string[] => {
  if (!known.includes(name)) return [`Unknown parameter; expected: ${known.join(', ')}.`]
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largest
  return isValid ? [] : [`Expected an integer from 0 to ${largest} (seconds, or a factor).`]
}

const said = (problems: Problems, where: string, message: string): undefined => {
  problems.add(where, message)
  return undefined
}

const isChoice = (name: string): name is RetryChoice => Object.hasOwn(parameters, name)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
