import { Type } from 'typebox'
import { defaultStrategies, type RetryStrategy } from '#delivery/subscriber/retry.ts'
import { fits } from '#platform/http/errors/field-errors.ts'
import type { Problems } from '#platform/problems.ts'
import { isObject } from '#platform/sent-fields.ts'
import { retryChoices, RetryName, retryStrategies } from './config-schemas.ts'

const field = 'retry_countdown_config'
const AnyStrategy = Type.Object({ choice: RetryName, kwargs: Type.Optional(Type.Unknown()) })

/**
 * Reads `retry_countdown_config`: a bare name, `{choice}`, `{choice, kwargs}`, or null for the default.
 * @returns the strategy with every parameter that has an effect; undefined when `problems` says why not.
 */
export const parseRetryConfig = (input: unknown, problems: Problems): RetryStrategy | undefined => {
  if (input === null || input === undefined) return defaultStrategies.exponential
  if (!isObject(input)) return strategyByName(input, problems)
  if (!fits(AnyStrategy, input, field, problems)) return undefined
  const { choice, kwargs: given } = input
  if (!fits(retryStrategies[choice], input, field, problems)) return undefined
  const kwargs = given as Readonly<Record<string, number | null>> | null | undefined
  if (kwargs === null || kwargs === undefined) return defaultStrategies[choice]
  // Clients that know the optional ones send them as null (the original accepts that).
  const values = Object.fromEntries(Object.entries(kwargs).filter(([, value]) => value !== null))
  if (choice === 'random' && Number(values['min_value']) > Number(values['max_value'])) {
    problems.add(`${field}.kwargs.min_value`, 'Must be at most max_value.')
    return undefined
  }
  // The schema is what makes this a strategy.
  return { choice, kwargs: choice === 'exponential' ? { factor: 1, ...values } : values } as RetryStrategy
}

const strategyByName = (input: unknown, problems: Problems): RetryStrategy | undefined => {
  const name = retryChoices.find((choice) => choice === input)
  if (name !== undefined) return defaultStrategies[name]
  problems.add(field, `Expected one of ${retryChoices.join(', ')}, or an object with choice and kwargs.`)
  return undefined
}
