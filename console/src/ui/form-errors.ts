import type { ApiError } from '#api/api-error.ts'
import { toastFailed } from './toast.tsx'

interface Form {
  readonly setErrors: (errors: Record<string, string>) => void
}

/** Shows what the API has against a form: beside the fields that it names, or else as a message. */
export const showErrors =
  (form: Form) =>
  (error: ApiError): void => {
    form.setErrors(error.fields)
    if (Object.keys(error.fields).length === 0) toastFailed(error)
  }
