import type { ApiError } from '#api/api-error.ts'
import { toastFailed } from './toast.tsx'

interface Form {
  readonly values: object
  readonly setErrors: (errors: Record<string, string>) => void
}

/**
 * Puts errors beside the fields of a form that they are about; says aloud what is about none of them.
 * @param below where the fields stand in the record, as in `credential.ios.production.`
 */
export const showErrors =
  (form: Form, below = '') =>
  (error: ApiError): void => {
    const errors = Object.entries(error.fields).map(([name, words]) => [name.replace(below, ''), words] as const)
    form.setErrors(Object.fromEntries(errors))
    // A field of a list is named by its place: items.0.sku.
    const names = errors.map(([name]) => name.split('.')[0] ?? name)
    if (names.length === 0 || names.some((name) => !(name in form.values))) toastFailed(error)
  }
