import { defaultStrategies, type RetryChoice, type RetryStrategy } from '#delivery/subscriber/retry.ts'
import type { Problems } from '#platform/problems.ts'
import { isObject, readObject, refuse } from './read-object.ts'

/** Parameters of each choice (contract, section 4). */
export const parameters: Record<
  RetryChoice,
  { readonly required: readonly string[]; readonly optional: readonly string[] }
> = {
  fixed: { required: ['seconds'], optional: [] },
  linear: { required: ['base'], optional: ['limit'] },
  exponential: { required: ['base'], optional: ['factor', 'limit'] },
  random: { required: ['min_value', 'max_value'], optional: [] },
}

export const retryChoices = Object.keys(parameters) as RetryChoice[]
const choices = retryChoices.join(', ')

/** A week, in seconds: the largest value a parameter may have (contract, section 11). */
export const maxParameter = 604_800

const field = 'retry_countdown_config'

/**
 * Reads `retry_countdown_config`: a bare name, `{choice}`, `{choice, kwargs}`, or null for the default.
 * @returns the strategy with every parameter that has an effect; undefined when `problems` says why not.
 */
export const parseRetryConfig = (input: unknown, problems: Problems): RetryStrategy | undefined => {
  if (input === null || input === undefined) return defaultStrategies.exponential
  if (typeof input === 'string')
    return isChoice(input) ? defaultStrategies[input] : refuse(problems, field, `Expected one of: ${choices}.`)
  if (!isObject(input))
    return refuse(problems, field, `Expected one of ${choices}, or an object with choice and kwargs.`)

  const { choice, kwargs, ...others } = input
  for (const name of Object.keys(others)) problems.add(`${field}.${name}`, 'Unknown field.')
  if (choice === undefined) return refuse(problems, `${field}.choice`, 'This field is required.')
  if (!isChoice(choice)) return refuse(problems, `${field}.choice`, `Expected one of: ${choices}.`)
  return kwargs === undefined || kwargs === null ? defaultStrategies[choice] : withKwargs(choice, kwargs, problems)
}

const withKwargs = (choice: RetryChoice, kwargs: unknown, problems: Problems): RetryStrategy | undefined => {
  const { required, optional } = parameters[choice]
  const known = [...required, ...optional]
  const rules = {
    fields: Object.fromEntries(known.map((name) => [name, parameterProblem])),
    required,
    missing: `${choice} needs this parameter.`,
    unknown: () => `Unknown parameter; expected: ${known.join(', ')}.`,
    // Clients that know the optional ones send them as null (the original accepts that).
    takesNull: true,
  }
  const values = readObject(kwargs, `${field}.kwargs`, rules, problems)
  if (values === undefined) return undefined
  if (choice === 'random' && Number(values['min_value']) > Number(values['max_value']))
    return refuse(problems, `${field}.kwargs.min_value`, 'Must be at most max_value.')
  // The table above is what makes this a strategy.
  return { choice, kwargs: choice === 'exponential' ? { factor: 1, ...values } : values } as unknown as RetryStrategy
}

const parameterProblem = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxParameter
    ? undefined
    : `Expected an integer from 0 to ${maxParameter} (seconds, or a factor).`

const isChoice = (name: unknown): name is RetryChoice => typeof name === 'string' && Object.hasOwn(parameters, name)
