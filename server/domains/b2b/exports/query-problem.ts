import { invalidFields, type AppError } from '#platform/errors.ts'
import { fieldErrors } from '#platform/http/errors/field-errors.ts'
import type { ValidationError } from '#platform/http/validation.ts'

interface Given {
  /** What the schema says of it. */
  readonly errors: readonly ValidationError[] | undefined
  readonly query: object
  /** As it was sent. */
  readonly url: string
}

/** What is wrong with a query: a word that is none of those allowed is told with them; undefined when nothing is. */
export const queryProblem = ({ errors = [], query, url }: Given): AppError | undefined => {
  const problems = { ...fieldErrors(errors), ...unknownWords(errors, query), ...undecodable(url) }
  return Object.keys(problems).length === 0 ? undefined : invalidFields(problems)
}

type Messages = Record<string, string[]>

const unknownWords = (errors: readonly ValidationError[], query: object): Messages => {
  const messages: Messages = {}
  for (const { keyword, instancePath, params } of errors) {
    const name = instancePath.slice(1)
    const allowed = keyword === 'enum' ? (params['allowedValues'] as unknown[]) : []
    const given: unknown[] = [Reflect.get(query, name)].flat()
    const unknown = given.find((value) => !allowed.includes(value))
    if (allowed.length > 0 && typeof unknown === 'string')
      messages[name] = [`Unknown ${name} “${unknown.slice(0, 100)}”. Expected one of: ${allowed.join(', ')}.`]
  }
  return messages
}

/** Bytes that are no text, half of a surrogate pair among them. Taken as they stand they would be a text that nothing has. */
const undecodable = (url: string): Messages => {
  const messages: Messages = {}
  for (const pair of (/\?([^#]*)/.exec(url)?.[1] ?? '').split('&'))
    if (!isText(pair)) messages[pair.replace(/=.*/s, '')] = ['The text is not UTF-8.']
  return messages
}

const isText = (encoded: string): boolean => {
  try {
    decodeURIComponent(encoded)
    return true
  } catch {
    return false
  }
}
