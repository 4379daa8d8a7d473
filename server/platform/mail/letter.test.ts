import { expect, test } from 'vitest'
import { letter } from './letter.ts'

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
