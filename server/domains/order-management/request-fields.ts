import { Type } from 'typebox'
import { invalidFields } from '#platform/errors.ts'

/** A stock keeping unit: compared character by character. */
export const Sku = Type.String({ minLength: 1, maxLength: 100, examples: ['CHAIR-OAK'] })

/** Pieces of one sku in one package. */
export const Quantity = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [2] })

/** Refuses texts of nothing but blanks. `fields` is field path → text; absent ones are fine. */
export const refuseBlank = (fields: Readonly<Record<string, string | null | undefined>>): void => {
  const blank = Object.entries(fields).filter(([, text]) => typeof text === 'string' && text.trim() === '')
  if (blank.length === 0) return
  throw invalidFields(Object.fromEntries(blank.map(([name]) => [name, ['This field may not be blank.']])))
}
