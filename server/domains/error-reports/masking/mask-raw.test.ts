import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { keptBytes, maskRaw } from './mask-raw.ts'

describe('a secret is masked', () => {
  test.each([
    ['{"password": "s3cr3t", "a": 1}', '{"password": "***", "a": 1}'],
    ['{"token":12345,"secret":["s3cr3t","x"],"b":2}', '{"token":"***","secret":"***","b":2}'],
    [
      String.raw`{"body":"{\"password\":\"s3\\\"cr3t\",\"x\":1}","k":2}`,
      String.raw`{"body":"{\"password\":\"***\",\"x\":1}","k":2}`,
    ],
    [`{'password': 's3cr3t', 'x': "it's"}`, `{'password': '***', 'x': "it's"}`],
    [`{'token': b's3\\'cr3t', 'x': 1}`, `{'token': b'***', 'x': 1}`],
    [String.raw`{"password":"s3\\\\","b":"c"}`, '{"password":"***","b":"c"}'],
    ['username=joe&password=s3cr3t&x=1', 'username=joe&password=***&x=1'],
    ['user[password]=s3cr3t&x=1', 'user[password]=***&x=1'],
    [
      'Host: x\r\nAuthorization: Digest a="b", c="s3cr3t"\r\nAccept: */*',
      'Host: x\r\nAuthorization: ***\r\nAccept: */*',
    ],
    ['Set-Cookie: a=s3cr3t; Path=/\nX-Api-Key: s3 cr3t\nX: y', 'Set-Cookie: ***\nX-Api-Key: ***\nX: y'],
    [
      'POST-https://u:s3cr3t@h/p?token=s3cr3t&x=1-{"password":"s3cr3t","n":1}',
      'POST-https://***@h/p?token=***&x=1-{"password":"***","n":1}',
    ],
    ['POST - https://h/p?api_key=s3cr3t - {"a":1}', 'POST - https://h/p?api_key=*** - {"a":1}'],
    ['<a><Password type="x">s3cr3t</Password><b>1</b></a>', '<a><Password type="x">***</Password><b>1</b></a>'],
    ['<ns:Secret><v>s3cr3t</v><w>s3cr3t</w></ns:Secret><c/>', '<ns:Secret>***</ns:Secret><c/>'],
    ['<token><![CDATA[s3</token>cr3t]]></token><b/>', '<token>***</token><b/>'],
    ['<a password="s3cr3t" b="1"/>', '<a password="***" b="1"/>'],
    ['&lt;password&gt;s3cr3t&lt;/password&gt;', '&lt;password&gt;***&lt;/password&gt;'],
    ['[["Authorization","s3cr3t"],["A","b"]]', '[["Authorization","***"],["A","b"]]'],
    ['{"name":"token","value":"s3cr3t"}', '{"name":"token","value":"***"}'],
    ["curl -H 'Authorization: Bearer s3cr3t' https://h", "curl -H 'Authorization: ***' https://h"],
    ['next=https%3A%2F%2Fh%3Ftoken%3Ds3cr3t%26x%3D1', 'next=https%3A%2F%2Fh%3Ftoken%3D***%26x%3D1'],
    ['%7B%22password%22%3A%22s3cr3t%22%7D', '%7B%22password%22%3A%22***%22%7D'],
    ['form-data; name="password"\r\n\r\ns3cr3t\r\n--b', 'form-data; name="password"\r\n\r\n***\r\n--b'],
    ['sent Bearer s3cr3tV4lue', 'sent Bearer ***'],
    ['sent Basic dXNlcjpwYXNzd29yZA==', 'sent Basic ***'],
    ['see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def_123 there', 'see *** there'],
    ['key wbk_0123456789abcdef0123456789abcdef, next', 'key ***, next'],
    ['paid with 4111 1111 1111 1111.', 'paid with ***.'],
    ['"4111-1111-1111-1111"', '"***"'],
    ['POST-https://h/5-378282246310005', 'POST-https://h/5-***'],
    ['pan=5555555555554444&x=4111%201111%201111%201111', 'pan=***&x=***'],
    ['4222222222222', '***'],
    ['{"password": "cut in the mid', '{"password": "***'],
    ['{"secret": {"a": ["cut', '{"secret": "***"'],
  ])('%j', (text, masked) => {
    expect(maskRaw(text)).toBe(masked)
  })
})

describe('what is no secret stays as it is', () => {
  test.each([
    'Basic authentication required',
    'Token expired.',
    "KeyError: 'barcode'",
    'missing key: barcode',
    'duplicate key value violates unique constraint "x_key" Key (id)=(5)',
    '{"message": "Enter password:", "x": 1}',
    '{"password": "", "token": null, "secretary": "Jo"}',
    '<password></password><token/>',
    'id 550e8400-e29b-41d4-a716-446655440000 at 2026-11-21 10:00:00.123456',
    '4006381333931',
    '4111111111111112',
    '0.4111111111111111',
    'sha256 a4111111111111111f',
    'https://example.com/@user?monkey=1&page=2',
    'status 401: wrong user name or login',
  ])('%j', (text) => {
    expect(maskRaw(text)).toBe(text)
  })
})

const planted = fc.stringMatching(/^[A-Za-z0-9!#$*+.:;~^ _-]{4,40}$/).map((text) => `Zq7${text}Zq7`)
const names = fc.constantFrom(
  'password',
  'Password',
  'user_password',
  'newPassword',
  'token',
  'access_token',
  'refreshToken',
  'X-Access-Token',
  'secret',
  'client_secret',
  'secretKey',
  'api_key',
  'apiKey',
  'x-api-key',
  'Authorization',
  'Cookie',
  'key',
)
const jsonIn = (value: unknown, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : jsonIn({ body: JSON.stringify(value), n: 1 }, depth - 1)
const python = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const awkward = fc.string({
  minLength: 1,
  maxLength: 20,
  unit: fc.constantFrom('"', "'", '\\', 'a', '{', '}', ']', ',', '<', '&', '\n'),
})
/** Like .NET and PHP (JSON_HEX_QUOT and its like) write it. */
const jsonWithEscapes = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/\\"|['&<>+]/gu, (found) => {
    const code = found
      .charCodeAt(found.length - 1)
      .toString(16)
      .toUpperCase()
    return String.raw`\u` + code.padStart(4, '0')
  })
const forms: Record<string, fc.Arbitrary<string>> = {
  json: fc
    .tuple(names, planted, awkward, fc.nat(3))
    .map(([name, secret, odd, depth]) =>
      jsonIn({ before: odd, [name]: `${odd}${secret}${odd}${secret}`, after: odd }, depth),
    ),
  nested: fc
    .tuple(names, planted, awkward, fc.nat(2))
    .map(([name, secret, odd, depth]) => jsonIn({ [name]: { a: [odd, secret], b: secret }, after: 1 }, depth)),
  python: fc
    .tuple(names, planted, fc.constantFrom("'", '\\', 'x'))
    .map(([name, secret, odd]) => `{${python(name)}: ${python(`${secret}${odd}${secret}`)}, 'x': None}`),
  form: fc
    .tuple(names, planted, awkward)
    .map(([name, secret, odd]) => `a=1&${new URLSearchParams({ [name]: secret + odd + secret }).toString()}&b=2`),
  header: fc.tuple(names, planted).map(([name, secret]) => `Host: h\r\n${name}: ${secret}\r\nAccept: */*`),
  methodUrlBody: fc
    .tuple(names, planted)
    .map(
      ([name, secret]) =>
        `POST-https://h/x?${name}=${encodeURIComponent(secret)}-${JSON.stringify({ [name]: secret })}`,
    ),
  element: fc
    .tuple(names, planted, fc.constantFrom('', 'ns:'))
    .map(
      ([name, secret, space]) =>
        `<r><a>1</a><${space}${name} x="1">${secret}<i>${secret}</i></${space}${name}><b/></r>`,
    ),
  attribute: fc.tuple(names, planted).map(([name, secret]) => `<r><a ${name}="${secret}" b='1'>x</a></r>`),
  userinfo: planted.map((secret) => `GET https://user:${encodeURIComponent(secret)}@example.com/path`),
  mapOfJava: fc
    .tuple(fc.constantFrom('Authorization', 'Cookie'), planted, fc.constantFrom('Bearer ', 'Basic ', 'a=1; b='))
    .map(([name, secret, start]) => `{Host=h, ${name}=${start}${secret.replaceAll(/[ ;,]/gu, '')}, Accept=*/*}`),
  printR: fc
    .tuple(fc.constantFrom('Authorization', 'Cookie'), planted)
    .map(([name, secret]) => `Array\n(\n    [${name}] => Bearer ${secret}\n    [Accept] => */*\n)`),
  escapes: fc.tuple(names, planted, awkward, fc.integer({ min: 1, max: 3 })).map(([name, secret, odd, depth]) => {
    let text = JSON.stringify({ before: odd, [name]: `${odd}${secret}${odd}${secret}`, after: odd })
    for (let level = 0; level < depth; level++) text = jsonWithEscapes({ body: text, n: 1 })
    return text
  }),
  namedElement: fc
    .tuple(names, planted)
    .map(([name, secret]) => `<r><f name="${name}" x="1">${secret}<i>${secret}</i></f><f name="x">1</f></r>`),
  option: planted.map((secret) => `curl -u "joe:${secret}" --user joe:${secret.replaceAll(' ', '')} https://h`),
  folded: fc
    .tuple(fc.constantFrom('Authorization', 'Cookie'), planted, fc.constantFrom(' ', '\t', '    '))
    .map(
      ([name, secret, blank]) => `Host: h\r\n${name}: Bearer\r\n${blank}_${secret.replaceAll(':', '')}\r\nAccept: */*`,
    ),
  pair: fc.tuple(names, planted).map(([name, secret]) => `[(${python(name)}, ${python(secret)})]`),
}

describe('whatever secret is planted does not survive', () => {
  test.each(Object.entries(forms))('in a text of the form %s', (_, form) => {
    fc.assert(
      fc.property(form, (text) => {
        const masked = maskRaw(text)
        expect(masked).not.toContain('Zq7')
        expect(maskRaw(masked)).toBe(masked)
      }),
      { numRuns: 300 },
    )
  })
})

test('text without secrets is unchanged', () => {
  const word = fc.constantFrom(
    'order',
    'barcode',
    'Error:',
    '{"a": "b"}',
    "{'sku': 'X-1'}",
    'x=1&y=2',
    '<a b="c">d</a>',
    '404',
    '\n',
    'https://h/p?q=1',
    '"',
    '\\',
    '[1, 2]',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const text = words.join(' ')
      expect(maskRaw(text)).toBe(text)
    }),
  )
})

describe('what is too long', () => {
  test.each([['a'], ['ş'], ['€'], ['😀']])(
    'is cut on the border of a character, with a mark that tells the rest: %s',
    (character) => {
      const text = character.repeat(40_000)
      const whole = Buffer.byteLength(text)
      const kept = maskRaw(text)
      const [start = '', missing = '0'] = kept.split(/\n\[cut: | bytes are missing\]$/u)
      const expected = whole > keptBytes ? whole - Buffer.byteLength(start) : 0
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(keptBytes)
      expect(text.startsWith(start)).toBe(true)
      expect(Number(missing)).toBe(expected)
      expect(maskRaw(kept)).toBe(kept)
    },
  )

  test('is masked before it is cut', () => {
    const text = `${'x'.repeat(keptBytes - 30)} password=${'s3cr3t'.repeat(20)}`
    expect(maskRaw(text)).not.toContain('s3c')
  })
})

const hostile = [
  'token',
  'token=',
  'token: ',
  '"token":{',
  '<token>',
  '<token ',
  '<a:token>x</a>',
  '\\',
  'token\\',
  'eyJ',
  'eyJ.',
  '://a',
  '://@',
  '4 ',
  '4111 1111 ',
  '&lt;token&gt;',
  '"token"',
  '("token",',
  'name="token"\n\nx',
  'name="token" ',
  'Bearer ',
  '%3A%2F%2F',
  '-----BEGIN PRIVATE KEY-----',
  'token[[',
  ' ',
  'Cookie: x\\',
  '"value": "token", ',
  'token="\\',
  '"value":"',
  '"value":"x","a":"b",',
  '\\"value\\":\\"',
  '"value":1, ',
  '"key":"token","a":"b",',
  '<key>token</key>',
  '<key>token</key><dict>',
  '--token "',
  '{Cookie=a="',
  'Cookie=a; ',
  'Authorization: \n ',
  '\\u0022token\\u0022:',
  '<a name="token" ',
  '-u "\\',
  'hooks.slack.com/services/\\',
  '4111.1111.',
  '4111\t',
  '4111_1111_',
  '&lt;token ',
  '&lt;token&gt;',
  '&amp;',
  '<session>',
  'session:{',
  'pin:"',
  'token: |\n',
  'token: |\n  x\n\n',
  '"X-Api-Key","',
  '["X-Api-Key","a',
  's:8:"token";s:6:"',
  '<meta name="token" content="',
  '; name=token\n',
  'token&nbsp;',
  '<entry key="',
  '<entry key="token',
  '<entry key="token">',
  "<entry key='token' ",
  '<key>password</key>',
  '<name>',
  '<name>token</name><value>',
  '<name>token</name><a>x</a><a>x</a><value/>',
  '<entry><string>token</string><string>',
  '&lt;name&gt;token&lt;/name&gt;&lt;value&gt;',
  '["token"]=>\nstring(100000) "',
  'token"]=>array(1) {',
  'token"]=>string(1) "\\',
  '"token","',
  '"token","1a"x',
  'token\t',
  'token\\t1a',
]
/** How often a pattern is tried while a text is masked. */
const stepsOf = (text: string): number => {
  const tried = vi.spyOn(RegExp.prototype, 'exec')
  try {
    maskRaw(text)
    return tried.mock.calls.length
  } finally {
    tried.mockRestore()
  }
}
const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length))

/** That one step is not long is measured by the time limit: it would be hours if any of it were quadratic. */
test.each(hostile)('a hostile text of 1 MiB takes no more steps than one of 256 KiB: %j', (unit) => {
  const text = repeated(unit, 1_048_576)
  expect(Buffer.byteLength(maskRaw(text))).toBeLessThanOrEqual(keptBytes)
  expect(stepsOf(text)).toBe(stepsOf(repeated(unit, 262_144)))
})

describe('a secret that goes on behind what is looked at', () => {
  const secret = 's3cr3t9Q'
  test.each([
    ['login', (long: string) => `https://joe:${long}@h/p`],
    ['named', (long: string) => `{"password": "${long}"}`],
    ['element', (long: string) => `<token><a>${long}</a></token>`],
    ['property', (long: string) => `<key>token</key><dict><key>a</key><string>${long}</string></dict>`],
    ['private key', (long: string) => `-----BEGIN PRIVATE KEY-----\n${long}\n-----END PRIVATE KEY-----`],
    ['JWT', (long: string) => `eyJhbGciOi.${long}`],
    ['value before name', (long: string) => `{"value":"${long}","name":"password"}`],
  ])('is not shown: %s', (_, form) => {
    // Masks that are far shorter than what they replace bring the end of what is looked at into what is kept.
    const unit = '<token>1234567890123456789012345678901234567890</token> '
    for (const start of [60_000, 90_000, 100_000, 130_000])
      expect(
        maskRaw(unit.repeat(start / unit.length) + ' ' + form(secret.repeat(2_000)) + ' and more'.repeat(20_000)),
      ).not.toContain('s3cr3t')
  })
})
