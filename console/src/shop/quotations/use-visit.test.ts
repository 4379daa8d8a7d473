import { expect, test } from 'vitest'
import { nextVisit } from './use-visit.ts'

test('new terms are compared with what was on the screen and was looked at', () => {
  expect(nextVisit({ known: 1, shown: 2 }, 3, 2)).toEqual({ known: 2, shown: 3 })
})

test('terms that nobody looked at are not known', () => {
  expect(nextVisit({ known: 1, shown: 2 }, 3, 1)).toEqual({ known: 1, shown: 3 })
})
