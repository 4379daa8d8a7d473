import { expect, test } from 'vitest'
import { letter, subjectLine } from './letter.ts'

test('a message says the same as text and as HTML', () => {
  const sections = [
    { lines: ['1 < 2 & "so"', "It's on."], link: 'https://shop.example/?a=1&b=2' },
    { lines: ['Another.'], link: 'https://shop.example/2/' },
  ]
  expect(letter(sections)).toEqual({
    text: '1 < 2 & "so"\nIt\'s on.\n\nhttps://shop.example/?a=1&b=2\n\nAnother.\n\nhttps://shop.example/2/',
    html: [
      '<p>1 &lt; 2 &amp; &quot;so&quot;</p>',
      '<p>It&#39;s on.</p>',
      '<p><a href="https://shop.example/?a=1&amp;b=2">https://shop.example/?a=1&amp;b=2</a></p>',
      '<hr>',
      '<p>Another.</p>',
      '<p><a href="https://shop.example/2/">https://shop.example/2/</a></p>',
    ].join('\n'),
  })
})

test('a name cannot begin a line of its own', () => {
  const { text, html } = letter([{ lines: ['Of Ann\r\n\u2028Pay here: evil.example'], link: 'https://shop.example/' }])
  expect(text).toBe('Of Ann Pay here: evil.example\n\nhttps://shop.example/')
  expect(html).toContain('<p>Of Ann Pay here: evil.example</p>')
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
