import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import type { Problems } from '#platform/problems.ts'

type RateLimit = NonNullable<SubscriptionSettings['rateLimit']>

const field = 'config.rate_limit'
const bounds = { per_second: [0.1, 10_000], burst: [1, 10_000] } as const
type Parameter = keyof typeof bounds

/**
 * Reads the `rate_limit` of `config`: `{per_second, burst?}`, or null for none.
 * @returns undefined when it is not named, or when `problems` says what is wrong with it.
 */
export const parseRateLimit = (config: unknown, problems: Problems): RateLimit | null | undefined => {
  const given = isObject(config) ? config['rate_limit'] : undefined
  if (given === undefined || given === null) return given
  if (!isObject(given)) {
    problems.add(field, 'Expected an object with per_second and burst, or null.')
    return undefined
  }
  const { per_second: perSecond, burst, ...others } = given
  const wrong = [
    ...Object.keys(others).map((name) => [name, 'Unknown field.'] as const),
    ['per_second', perSecond === undefined ? 'This field is required.' : problemOf('per_second', perSecond)] as const,
    ['burst', burst === undefined || burst === null ? undefined : problemOf('burst', burst)] as const,
  ].filter(([, message]) => message !== undefined)
  for (const [name, message] of wrong) problems.add(`${field}.${name}`, message)
  if (wrong.length > 0) return undefined
  // Both were found to be numbers.
  const rate = perSecond as number
  return { perSecond: rate, burst: (burst as number | null | undefined) ?? Math.max(1, Math.ceil(rate)) }
}

const problemOf = (name: Parameter, value: unknown): string | undefined => {
  const [least, most] = bounds[name]
  const isValid =
    typeof value === 'number' && value >= least && value <= most && (name === 'per_second' || Number.isInteger(value))
  return isValid ? undefined : `Expected ${name === 'burst' ? 'an integer' : 'a number'} from ${least} to ${most}.`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
