import type { ApiError } from '#api/api-error.ts'
import { toastFailed } from './toast.tsx'

interface Form {
  readonly values: object
  readonly setErrors: (errors: Record<string, string>) => void
}

/** Puts errors beside the fields of a form that they are about; says aloud what is about none of them. */
export const showErrors =
  (form: Form) =>
  (error: ApiError): void => {
    form.setErrors({ ...error.fields })
    // A field of a list is named by its place: items.0.sku.
    const names = Object.keys(error.fields).map((name) => name.split('.')[0] ?? name)
    if (names.length === 0 || names.some((name) => !(name in form.values))) toastFailed(error)
  }
