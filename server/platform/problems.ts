import { invalidFields } from '#platform/errors.ts'

/** Collects what is wrong with a body, so that the sender learns all of it at once. */
export interface Problems {
  readonly add: (field: string, message: string | undefined) => void
  readonly any: () => boolean
  /** @throws AppError 400 that names every field something was said about. */
  readonly throwIfAny: () => void
}

export const collectProblems = (): Problems => {
  const fields: Record<string, string[]> = {}
  return {
    add(field, message) {
      if (message !== undefined) (fields[field] ??= []).push(message)
    },
    any: () => Object.keys(fields).length > 0,
    throwIfAny() {
      if (Object.keys(fields).length > 0) throw invalidFields(fields)
    },
  }
}
