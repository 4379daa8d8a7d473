import type { Problems } from '#platform/problems.ts'

export interface ObjectRules {
  /** The fields there can be, each with why a value of it cannot be taken. */
  readonly fields: Readonly<Record<string, (value: unknown) => string | undefined>>
  readonly required: readonly string[]
  /** What is said where a required field is missing, of an unknown field, and of what is no object. */
  readonly missing?: string
  readonly unknown?: (name: string) => string
  readonly expected?: string
  /** null means that an optional field is absent. */
  readonly takesNull?: boolean
}

/** Reads an object field by field. @returns undefined when `problems` says why not. */
export const readObject = (
  input: unknown,
  path: string,
  rules: ObjectRules,
  problems: Problems,
): Readonly<Record<string, unknown>> | undefined => {
  const { fields, required, missing = 'This field is required.', unknown = () => 'Unknown field.' } = rules
  if (!isObject(input)) return refuse(problems, path, rules.expected ?? 'Expected an object.')
  const isAbsent = (name: string, value: unknown): boolean =>
    rules.takesNull === true && value === null && Object.hasOwn(fields, name) && !required.includes(name)
  const given = Object.entries(input).filter(([name, value]) => !isAbsent(name, value))
  const wrong = [
    ...required.filter((name) => !Object.hasOwn(input, name)).map((name) => [name, missing] as const),
    ...given.map(
      ([name, value]) => [name, Object.hasOwn(fields, name) ? fields[name]?.(value) : unknown(name)] as const,
    ),
  ].filter(([, message]) => message !== undefined)
  for (const [name, message] of wrong) problems.add(`${path}.${name}`, message)
  return wrong.length > 0 ? undefined : Object.fromEntries(given)
}

export const refuse = (problems: Problems, path: string, message: string): undefined => {
  problems.add(path, message)
  return undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
