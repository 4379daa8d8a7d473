import { expect, test } from 'vitest'
import { bothWords } from '#testing/mail-words.ts'
import { subjectLine, writeLetter, type Section } from './letter.ts'

const section: Section = {
  heading: 'Quotation 1 < 2 & "so"',
  paragraphs: ["It's on."],
  facts: [
    ['Expires', 'soon'],
    ['Asked for by', '<b>Ann</b>'],
  ],
  quote: { by: 'Bob wrote:', text: 'Fine & good.\r\nIt is <approved>.' },
  link: 'https://shop.example/?a=1&b=2',
  button: 'Open it',
}
const other: Section = { heading: 'Another', paragraphs: [], link: 'https://shop.example/2', button: 'Open it' }

test('a message says the same as text and as HTML', () => {
  const letter = writeLetter({ locale: 'en', sections: [section, other], why: 'You & we.' })
  expect(letter.text).toBe(
    [
      'Quotation 1 < 2 & "so"',
      "It's on.",
      'Expires: soon\nAsked for by: <b>Ann</b>',
      'Bob wrote:\n> Fine & good.\n> It is <approved>.',
      'Open it\nhttps://shop.example/?a=1&b=2',
      '----',
      'Another',
      'Open it\nhttps://shop.example/2',
      '----',
      'You & we.',
    ].join('\n\n'),
  )
  const [html, text] = bothWords(letter)
  expect(html).toBe(text)
  expect(letter.html).toContain('href="https://shop.example/?a=1&amp;b=2"')
  expect(letter.html).not.toMatch(/<b>|<approved>/)
})

test('a message names its language, and has colours for dark screens', () => {
  const { html } = writeLetter({ locale: 'tr', sections: [other], why: 'x' })
  expect(html).toContain('<html lang="tr">')
  expect(html).toContain('@media (prefers-color-scheme:dark)')
  expect(html).not.toMatch(/<(script|img|link)|url\(/)
})

test('a name cannot begin a line of its own', () => {
  const { text, html } = writeLetter({
    locale: 'en',
    sections: [{ ...other, heading: 'Of Ann\r\n\u2028Pay here: evil.example', facts: [['By', 'Eve\nPaid: yes']] }],
    why: 'x',
  })
  expect(text).toMatch(/^Of Ann Pay here: evil\.example\n\nBy: Eve Paid: yes\n\n/)
  expect(html).toContain('>Of Ann Pay here: evil.example</h1>')
})

test.each([
  ['what is written in any script', 'Teklif — 見積もり عرض ✓', 'Teklif — 見積もり عرض ✓'],
  ['no second line', 'Hi\r\nBcc: eve@evil.example\u2028x\u0085', 'Hi Bcc: eve@evil.example x'],
  ['no text that runs the other way', 'Q-1 \u202Edevorppa\u202C \u2066x\u2069 \u200F!', 'Q-1 devorppa x !'],
  ['nothing that is not seen', 'in\u200Bvi\u00ADsi\uFEFFble\u200D', 'invisible'],
  ['emoji that are one', 'Order 👩‍🚀 👩🏽‍💻 🏳️‍🌈 a\u200Db', 'Order 👩‍🚀 👩🏽‍💻 🏳️‍🌈 ab'],
])('a subject has %s', (_, text, expected) => {
  expect(subjectLine(text)).toBe(expected)
})
