import { expect, test } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { refuseBlank } from './request-fields.ts'

test('a blank text is refused, an absent one is not', () => {
  expect(() => refuseBlank({ code: undefined, name: 'x', awb_number: null })).not.toThrow()
  expect(() => refuseBlank({ name: ' \t' })).toThrow(AppError)
})
