import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '#testing/is-everything-wanted.ts'
import { maskSecrets } from './mask-secrets.ts'
import { isSecretName } from './secret-names.ts'

describe('a secret is masked by its name', () => {
  test.each([
    ['in JSON', '{"password": "s3cr3t", "a": 1}', '{"password": "***", "a": 1}'],
    ['in JSON that was cut', '{"a": 1, "password": "s3cr', '{"a": 1, "password": "***'],
    ['that is no text', '{"token":12345,"secret":["s3cr3t",{"x":"]"}],"b":2}', '{"token":"***","secret":"***","b":2}'],
    [
      'in JSON in JSON',
      String.raw`{"body":"{\"password\":\"s3\\\"cr3t\",\"x\":{\"auth\":{\"a\":\"s3\"}}}","k":2}`,
      String.raw`{"body":"{\"password\":\"***\",\"x\":{\"auth\":\"***\"}}","k":2}`,
    ],
    ['that ends with a backslash', String.raw`{"password":"s3\\","b":"c"}`, '{"password":"***","b":"c"}'],
    ['in a dictionary of Python', `{'password': 's3cr3t', 'x': "it's"}`, `{'password': '***', 'x': "it's"}`],
    ['in a form', 'username=joe&password=s3+cr3t&x=1', 'username=joe&password=***&x=1'],
    ['in a form with brackets', 'user%5Bpassword%5D=a&user[pwd]=b&c=1', 'user%5Bpassword%5D=***&user[pwd]=***&c=1'],
    [
      'in header lines',
      'Host: x\r\nAuthorization: Digest a="b", c="s3cr3t"\r\nSet-Cookie: a=b; Path=/\r\nX-Api-Key: s3cr3t\r\nAccept: */*',
      'Host: x\r\nAuthorization: ***\r\nSet-Cookie: ***\r\nX-Api-Key: ***\r\nAccept: */*',
    ],
    [
      'in an element',
      '<a><Password type="x">s3cr3t</Password><w:Secret><v>s3</v></w:Secret><token><![CDATA[s</token>3]]></token></a>',
      '<a><Password type="x">***</Password><w:Secret>***</w:Secret><token>***</token></a>',
    ],
    ['in an attribute', '<a password="s3cr3t" b="1"/>', '<a password="***" b="1"/>'],
    [
      'in method, URL and body',
      'POST-https://u:s3cr3t@h/p?token=s3cr3t&x=1-{"password":"s3cr3t","n":1}',
      'POST-https://***@h/p?token=***&x=1-{"password":"***","n":1}',
    ],
  ])('%s', (_, text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })
})

test.each(
  'password Password user_password newPassword password2 passwordConfirmation pwd access_token refreshToken X-Access-Token client_secret secretKey api_key apiKey x-api-key Authorization Proxy-Authorization Cookie credentials cvv card_number X-Hub-Signature-256 parola şifre session_id tokens[]'.split(
    ' ',
  ),
)('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each(
  'key token_count tokenType passwordLength secretary monkey bypass Japan author idempotency-key pin session sku'.split(
    ' ',
  ),
)('%s names no secret', (name) => {
  expect(isSecretName(name)).toBe(false)
})

describe('a secret is masked by its form', () => {
  const random = (length: number): string => 'a1B2c3D4e5F6g7H8i9J0'.repeat(4).slice(0, length)
  test.each([
    ['of ours', `wbk_${random(32)}`],
    ['for signatures', `whsec_${random(30)}+/==`],
    ['of AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['of GitHub', `ghp_${random(36)}`],
    ['of GitHub, with a name', `github_pat_${random(22)}_${random(59)}`],
    ['of GitLab', `glpat-${random(20)}`],
    ['of Slack', `xoxb-123456789012-${random(24)}`],
    ['of Slack, in an address', 'hooks.slack.com/services/T00000000/B00000000/abcdefgh12345678'],
    ['of Stripe', `sk_live_${random(24)}`],
    ['of Google', `AIza${random(35)}`],
    ['of npm', `npm_${random(36)}`],
    ['of OpenAI', `sk-proj-${random(48)}`],
    ['of SendGrid', `SG.${random(22)}.${random(43)}`],
    ['of Shopify', `shpat_${random(32)}`],
    ['that is a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def_123'],
    ['that is a card number', '4111111111111111'],
    ['that is a card number in groups', '4111 1111 1111 1111'],
    ['that is a card number with hyphens', '5555-5555-5555-4444'],
    ['that is a card number of 15 digits', '3782 822463 10005'],
  ])('a key %s', (_, key) => {
    expect(maskSecrets(`with ${key}, next`)).toBe('with ***, next')
    expect(maskSecrets(JSON.stringify({ a: `x\n${key}` }))).toBe(String.raw`{"a":"x\n***"}`)
  })

  test.each([
    ['sent Bearer s3cr3tV4lue.', 'sent Bearer ***'],
    ['sent Basic dXNlcjpwYXNzd29yZA==, again', 'sent Basic ***, again'],
    ['sent Basic dXNlcjpwYXNz and Bearer abcdefGHIJKLmnop', 'sent Basic *** and Bearer ***'],
    ['BASIC dXNlcjpwYXNz', 'BASIC ***'],
    ['Authorization=Basic dXNlcjpwYXNz end', 'Authorization=*** *** end'],
    [`{'token': u's3cr3t', 'password': b's3cr3t'}`, `{'token': u'***', 'password': b'***'}`],
    ['GET https://joe:s3@cr3t@h/p@q', 'GET https://***@h/p@q'],
    [String.raw`{"url":"ftp:\/\/joe:s3cr3t@h\/p"}`, String.raw`{"url":"ftp:\/\/***@h\/p"}`],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n',
      '-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\n',
    ],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', '-----BEGIN PRIVATE KEY-----***'],
  ])('%j', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })
})

describe('what is no secret stays as it is', () => {
  test.each([
    'Basic authentication required, Bearer token expected',
    'InvalidToken: The token is not valid',
    'no bean of type List<AccessToken> found',
    "KeyError: 'barcode'",
    'duplicate key value violates unique constraint "x_key" Key (id)=(5)',
    '{"message": "Enter password:", "x": 1}',
    '{"password": "", "token": null, "has_token": false, "secretary": "Jo", "credentials": []}',
    '<password> </password><token/>',
    'id 550e8400-e29b-41d4-a716-446655440000 at 2026-11-21 10:00:00.123456',
    'barcodes 4006381333931, 8690504010012',
    'no card 4111111111111112, 0.4111111111111111, a4111111111111111f, 9111111111111111',
    'https://example.com/@user?monkey=1&page=2',
    'task-force sk-learn, ghp_short, AKIA',
    '{"items": [{"sku": "CHAIR-OAK-1", "price": "129.90", "big": 12345678901234567890, "text": "a\\u00fc\\/b"}] , "n":1.0}',
    'POST https://shop.example:8443\ncontent-type: application/json\nwebhook-id: msg_1\n\n{"id":9}',
  ])('%j', (text) => {
    expect(maskSecrets(text)).toBe(text)
  })
})

const names = fc.constantFrom(
  'password',
  'newPassword',
  'access_token',
  'X-Access-Token',
  'client_secret',
  'api_key',
  'Authorization',
)
const planted = fc.stringMatching(/^[A-Za-z0-9!#$*+.:~^_-]{4,40}$/u).map((text) => `Zq7${text}Zq7`)
const odd = fc.string({
  minLength: 1,
  maxLength: 20,
  unit: fc.constantFrom('"', "'", '\\', 'a', '{', '}', ']', ',', '<', '&', '\n'),
})
const jsonIn = (value: unknown, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : jsonIn({ body: JSON.stringify(value), n: 1 }, depth - 1)
const forms: Record<string, fc.Arbitrary<string>> = {
  'a member': fc
    .tuple(names, planted, odd, fc.nat(3))
    .map(([name, secret, other, depth]) =>
      jsonIn({ before: other, [name]: other + secret + other + secret, after: other }, depth),
    ),
  'an object': fc
    .tuple(names, planted, odd, fc.nat(2))
    .map(([name, secret, other, depth]) => jsonIn({ [name]: { a: [other, secret], b: secret }, after: 1 }, depth)),
  'a field of a form': fc
    .tuple(names, planted, odd)
    .map(([name, secret, other]) => `a=1&${new URLSearchParams({ [name]: secret + other + secret }).toString()}&b=2`),
  'a header line': fc.tuple(names, planted).map(([name, secret]) => `Host: h\r\n${name}: ${secret}\r\nAccept: */*`),
  'an element': fc
    .tuple(names, planted, fc.constantFrom('', 'ns:'))
    .map(([name, secret, space]) => `<r><${space}${name} x="1">${secret}<i>${secret}</i></${space}${name}><b/></r>`),
  'an attribute': fc.tuple(names, planted).map(([name, secret]) => `<r><a ${name}="${secret}" b='1'>x</a></r>`),
  'a login': planted.map((secret) => `GET https://user:${encodeURIComponent(secret)}@example.com/path`),
}

test.each(Object.entries(forms))('whatever secret is planted in %s does not survive', (_, form) => {
  fc.assert(
    fc.property(form, (text) => {
      const masked = maskSecrets(text)
      expect(masked).not.toContain('Zq7')
      expect(maskSecrets(masked)).toBe(masked)
    }),
    tries(40, 100),
  )
})

const signs = '{ } [ ] " \' \\ \\" : , = & ? < > </ /> \n %40 @ - .'.split(' ')
const pieces = [
  ...signs,
  ' ',
  '"password": ',
  '"a":"b"',
  'token=',
  'Cookie: ',
  '<token>',
  '</token>',
  '<![CDATA[',
  ']]>',
  'auth',
  'x',
  '1',
  '://',
  'https://u:p@h',
  'Bearer ',
  'Basic ',
  '8f3b01c2aa77',
  'eyJabcdef.abcdef',
  '4111 1111 1111 1111',
  'AKIAIOSFODNN7EXAMPLE',
  '***',
  'null',
  '-----BEGIN PRIVATE KEY-----',
  '-----END',
]
test('masking again changes nothing, however the forms are mixed', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 10 }), (parts) => {
      const masked = maskSecrets(parts.join(''))
      expect(maskSecrets(masked)).toBe(masked)
    }),
    tries(150, 500),
  )
})

// A pattern that takes more than time in proportion to the length would take minutes.
test.each([
  '\\',
  '\\"',
  ' ',
  '\n',
  'token',
  'a.',
  'token=',
  'token="',
  'token=)',
  'token: ',
  '%5Btoken',
  '{"a":"b",',
  '"token":{',
  '"token":"\\"',
  '"token":[\'',
  '<token>',
  '<token ',
  '<token>x',
  '</token>',
  '<token></token',
  '<a:token>x</a>',
  '<token><![CDATA[',
  '<token><![CDATA[</token>]]>',
  'eyJ',
  'eyJ-',
  'eyJabcdef.',
  '://a',
  '://@',
  '4111 1111 ',
  '4111-',
  'Bearer ',
  'Basic A',
  '-----BEGIN PRIVATE KEY-----',
  'AKIA',
  'sk-',
  'SG.',
])('masking a hostile text of 1 MiB again changes nothing: %j', { timeout: 20_000 }, (unit) => {
  const text = unit.repeat(Math.ceil(1_048_576 / unit.length))
  const masked = maskSecrets(text)
  expect(maskSecrets(masked) === masked).toBe(true)
})
