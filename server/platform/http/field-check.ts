import { fieldErrors } from './field-errors.ts'
import { bodyValidator } from './validation.ts'

/** @returns field path → messages; undefined when the value is as it should be. */
export type FieldCheck = (value: unknown) => Readonly<Record<string, string[]>> | undefined

/** Compiles a schema once into a check by the rules of request bodies, for a part whose schema depends on another part. */
export const compileFieldCheck = (schema: object): FieldCheck => {
  const validate = bodyValidator(schema)
  return (value) => (validate(value) ? undefined : fieldErrors(validate.errors ?? []))
}
