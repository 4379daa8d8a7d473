import { expect, test } from 'vitest'
import { subjectLine } from './subject-line.ts'

test.each([
  ['what is written in any script', 'Teklif — 見積もり عرض ✓', 'Teklif — 見積もり عرض ✓'],
  ['no second line', 'Hi\r\nBcc: eve@evil.example\u2028x\u0085', 'Hi Bcc: eve@evil.example x'],
  ['no text that runs the other way', 'Q-1 \u202Edevorppa\u202C \u2066x\u2069 \u200F!', 'Q-1 devorppa x !'],
  ['nothing that is not seen', 'in\u200Bvi\u00ADsi\uFEFFble\u200D', 'invisible'],
  ['emoji that are one', 'Order 👩‍🚀 👩🏽‍💻 🏳️‍🌈 a\u200Db', 'Order 👩‍🚀 👩🏽‍💻 🏳️‍🌈 ab'],
])('a subject has %s', (_, text, expected) => {
  expect(subjectLine(text)).toBe(expected)
})
