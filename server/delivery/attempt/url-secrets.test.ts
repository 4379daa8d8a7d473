import { describe, expect, test } from 'vitest'
import { withoutSecrets } from './kept-answer.ts'
import { urlSecrets } from './url-secrets.ts'

const url =
  'https://shop-user:open%20sesame@shop.example:8443/404/PATH%2FSECRET%26abc/orders?k=QUERY%3CSECRET987&page=12#hush'
const kept = (body: string, of = url): string | null => withoutSecrets({ headers: null, body }, urlSecrets(of)).body

describe('an answer does not tell the URL that it came from', () => {
  test.each([
    [
      'as Express repeats it',
      'Cannot POST /404/PATH%2FSECRET%26abc/orders?k=QUERY%3CSECRET987&page=12',
      'Cannot POST ********',
    ],
    ['without the query', 'POST /404/PATH%2FSECRET%26abc/orders is not here', 'POST ******** is not here'],
    ['decoded', 'No route for "/404/PATH/SECRET&abc/orders"', 'No route for "********"'],
    ['as HTML', '<pre>/404/PATH%2FSECRET%26abc/orders?k=QUERY%3CSECRET987&amp;page=12</pre>', '<pre>********</pre>'],
    ['as HTML, decoded', '<i>PATH/SECRET&amp;abc</i><b>QUERY&lt;SECRET987</b>', '<i>********</i><b>********</b>'],
    [
      'as JSON of Go',
      String.raw`{"path":"/404/PATH%2FSECRET%26abc/orders?k=QUERY%3CSECRET987\u0026page=12"}`,
      '{"path":"********"}',
    ],
    ['as JSON of .NET', String.raw`{"key":"QUERY\u003CSECRET987"}`, '{"key":"********"}'],
    ['one part of the path', 'unknown shop PATH%2FSECRET%26abc', 'unknown shop ********'],
    ['one value of the query', 'wrong key QUERY%3CSECRET987', 'wrong key ********'],
    ['the user', 'user shop-user, password open sesame', 'user ********, password ********'],
    ['as JSON of PHP', String.raw`{"path":"\/404\/PATH%2FSECRET%26abc\/orders"}`, '{"path":"********"}'],
    ['in a template', '<i>&#x2F;404&#x2F;PATH%2FSECRET%26abc&#x2F;orders</i>', '<i>********</i>'],
  ])('%s', (_, body, masked) => {
    expect(kept(body)).toBe(masked)
  })

  test('in a header', () => {
    const headers = { location: 'https://shop.example:8443/404/PATH%2FSECRET%26abc/orders/', server: 'x' }
    expect(withoutSecrets({ headers, body: null }, urlSecrets(url)).headers).toEqual({
      location: 'https://shop.example:8443********/',
      server: 'x',
    })
  })
})

test.each([
  ['https://h/orders', 'No orders at /orders'],
  ['https://h/', 'GET / and /'],
  ['https://h/webhooks', 'unknown field in webhooks'],
  ['https://h/v1/notifications?page=12&kind=order', 'unknown field in notifications of page 12, order v1'],
  ['https://example.com:8443/a/b', 'https://example.com:8443 has no c'],
  ['no URL', 'no URL here'],
])('ordinary words of %s stay', (of, body) => {
  expect(kept(body, of)).toBe(body)
})

test('short words are hidden where they stand together', () => {
  expect(kept('POST /v1/orders?k=ab: no', 'https://h/v1/orders?k=ab')).toBe('POST ********: no')
  expect(kept('%E0%A4 and /a%E0%A4b/c', 'https://h/a%E0%A4b/c')).toBe('%E0%A4 and ********')
})
