import { describe, expect, test } from 'vitest'
import { AppError } from '#platform/errors.ts'
import { checkHeaders } from '#delivery/surface/custom-headers.ts'
import { createdBetween } from '#delivery/surface/delivery-routes.ts'
import { collectProblems, type Problems } from '#platform/problems.ts'
import { readConfig } from './hook-config.ts'
import { secretProblem } from '#delivery/surface/signing-secret.ts'
import { urlProblem } from '#delivery/surface/target-url.ts'

/** Names of the fields that were complained about. */
const faults = (check: (problems: Problems) => unknown): Readonly<Record<string, readonly string[]>> => {
  const problems = collectProblems()
  check(problems)
  try {
    problems.throwIfAny()
    return {}
  } catch (error) {
    return error instanceof AppError ? (error.details.fields ?? {}) : {}
  }
}
const complaints = (check: (problems: Problems) => unknown): string[] => Object.keys(faults(check)).toSorted()

describe('target_url', () => {
  const check = (url: string) => urlProblem(url, () => undefined)

  test.each([
    'https://example.com',
    'HTTP://example.com/a?b=c',
    'http://127.0.0.1:8080/x',
    'https://[2001:db8::1]/',
    'https://xn--exmple-cua.com/%C3%BC?a=~',
    `https://e.com/${'a'.repeat(2_034)}`,
  ])('%s can be called', (url) => {
    expect(check(url)).toBeUndefined()
  })

  test.each([
    ['', /Expected an http/],
    ['example.com', /Expected an http/],
    ['ftp://example.com', /Expected an http/],
    ['javascript:alert(1)', /Expected an http/],
    ['https:example.com', /Expected an http/],
    ['https://', /Expected an http/],
    ['https://exa mple.com', /Expected an http/],
    ['https://example.com/\n', /Expected an http/],
    [' https://example.com', /Expected an http/],
    ['https://example.com\\@evil.com', /Expected an http/],
    ['https://example.com:99999/', /Expected an http/],
    ['https://user@example.com', /user name or password/],
    ['https://user:pass@example.com', /user name or password/],
    ['https://@example.com', /user name or password/],
    ['https://example.com/#top', /fragment/],
    ['https://example.com/#', /fragment/],
    [`https://e.com/${'a'.repeat(2_035)}`, /2048/],
    ['https://exämple.com/', /punycode/],
    ['https://example.com/ü', /percent-encode/],
    ['https://example.com/?a=漢', /percent-encode/],
  ])('%j cannot be called', (url, why) => {
    expect(check(url)).toMatch(why)
  })

  test('is also refused for what the guard knows of it', () => {
    expect(urlProblem('https://10.0.0.1/', (url) => `${url} is private.`)).toBe('https://10.0.0.1/ is private.')
  })
})

describe('additional_headers', () => {
  const check = (headers: Record<string, string>) =>
    complaints((problems) => checkHeaders(headers, { field: 'additional_headers', problems }))

  test.each([
    [{}],
    [{ Authorization: 'Bearer abc', 'X-Shop': '' }],
    [{ 'x-a': 'één twee' }],
    [Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, 'v'.repeat(1_024)]))],
  ])('%j can be sent', (headers) => {
    expect(check(headers)).toEqual([])
  })

  test.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Webhook-Id',
    'webhook-signature',
    'X-Whisperer-Event',
    'x-waybill-sequence',
    'Content-Type',
    'User-Agent',
    'Upgrade',
    'expect',
    'keep-alive',
  ])('%s belongs to the delivery or the connection', (name) => {
    expect(check({ [name]: 'x' })).toEqual([`additional_headers.${name}`])
  })

  test.each([
    ['', 'x'],
    ['x y', 'x'],
    ['x:y', 'x'],
    ['naïve', 'x'],
    ['x'.repeat(1_025), 'x'],
    ['x', 'v'.repeat(1_025)],
    ['x', 'a\r\nb'],
    ['x', 'a\u007f'],
    ['x', ' a'],
    ['x', 'a '],
    ['x', '漢字'],
  ])('the header %j: %j cannot be sent', (name, value) => {
    expect(check({ [name]: value })).toEqual([`additional_headers.${name}`])
  })

  test('cannot have a name with a prefix that is reserved, and the answer says so', () => {
    const problems = collectProblems()
    checkHeaders({ 'X-Whisperer-Foo': '1' }, { field: 'headers', problems })
    expect(() => problems.throwIfAny()).toThrow(
      expect.objectContaining({
        details: { fields: { 'headers.X-Whisperer-Foo': ['Names that begin with x-whisperer- are reserved.'] } },
      }),
    )
  })

  test('cannot have the same name twice, nor be more than 20', () => {
    expect(check({ 'X-A': '1', 'x-a': '2' })).toEqual(['additional_headers.x-a'])
    expect(check(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'v'])))).toEqual([
      'additional_headers',
    ])
  })
})

describe('secret_key', () => {
  const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

  test.each(['s', 'x'.repeat(256), '🔑'.repeat(256), whsec(24), whsec(25), whsec(64), 'WHSEC_no'])(
    '%s can sign',
    (secret) => {
      expect(secretProblem(secret)).toBeUndefined()
    },
  )

  test.each([
    ['', /1 to 256/],
    ['x'.repeat(257), /1 to 256/],
    ['whsec_', /this one has 0/],
    [whsec(23), /this one has 23/],
    [whsec(65), /this one has 65/],
    ['whsec_not base64!', /not base64/],
    [whsec(25).replace(/=+$/, ''), /not base64/],
    [whsec(24).replace(/B/g, '-'), /not base64/],
  ])('%j cannot', (secret, why) => {
    expect(secretProblem(secret)).toMatch(why)
  })
})

describe('config', () => {
  const parse = (config: unknown, problems = collectProblems()) =>
    readConfig(config, (url) => urlProblem(url, () => undefined), problems)
  const basic = { auth_type: 'basic', username: 'shop', password: 'secret' } as const
  const token = { auth_type: 'token', url: 'https://example.com/login', username: 'shop', password: 'secret' } as const

  test.each([null, undefined, {}, { auth: null }])('%j is no auth', (config) => {
    expect(parse(config).auth ?? null).toBeNull()
  })

  test('keeps basic auth as it is, and completes token auth', () => {
    expect(parse({ auth: basic }).auth).toEqual(basic)
    expect(parse({ auth: token }).auth).toEqual({
      ...token,
      username_field: 'username',
      password_field: 'password',
      token_key: 'key',
      header_format: 'Token {}',
    })
    expect(parse({ auth: { ...token, token_key: 'access', header_format: 'Bearer {}' } }).auth).toMatchObject({
      token_key: 'access',
      header_format: 'Bearer {}',
    })
  })

  test.each([
    [{ format: 'standard' }, { envelope: 'standard' }],
    [{ format: null }, { envelope: 'original' }],
    [{ max_attempts: 100 }, { maxAttempts: 100 }],
    [{ max_attempts: null }, { maxAttempts: null }],
    [{ auth: null }, { auth: null }],
    [{ order: 'object' }, { order: 'object' }],
    [{ order: null }, { order: 'none' }],
    [{ callback: '', tenant: 'north' }, { extraConfig: { tenant: 'north' } }],
    [undefined, {}],
  ])('%j is read as %j', (config, settings) => {
    expect(parse(config)).toMatchObject(settings)
    expect(complaints((problems) => parse(config, problems))).toEqual([])
  })

  test.each([
    ['basic', 'config'],
    [[], 'config'],
    [{ callback: 'os.system' }, 'config.callback'],
    [{ format: 'xml' }, 'config.format'],
    [{ max_attempts: 0 }, 'config.max_attempts'],
    [{ order: 'sequence' }, 'config.order'],
    [{ max_attempts: 101 }, 'config.max_attempts'],
    [{ max_attempts: 1.5 }, 'config.max_attempts'],
    [{ auth: 'basic' }, 'config.auth'],
    [{ auth: {} }, 'config.auth.auth_type'],
    [{ auth: { auth_type: 'oauth2' } }, 'config.auth.auth_type'],
    [{ auth: { auth_type: 'basic', username: 'shop' } }, 'config.auth.password'],
    [{ auth: { ...basic, password: 5 } }, 'config.auth.password'],
    [{ auth: { ...basic, password: '' } }, 'config.auth.password'],
    [{ auth: { ...basic, username: 'a:b' } }, 'config.auth.username'],
    [{ auth: { ...basic, username: 'a\nb' } }, 'config.auth.username'],
    [{ auth: { ...basic, username: 'a'.repeat(257) } }, 'config.auth.username'],
    [{ auth: { ...basic, url: 'https://example.com' } }, 'config.auth.url'],
    [{ auth: { ...basic, callback: 'os.system' } }, 'config.auth.callback'],
    [{ auth: { ...token, url: 'file:///etc/passwd' } }, 'config.auth.url'],
    [{ auth: { ...token, url: undefined } }, 'config.auth.url'],
    [{ auth: { ...token, header_format: 'Token' } }, 'config.auth.header_format'],
    [{ auth: { ...token, header_format: '{} {}' } }, 'config.auth.header_format'],
    [{ auth: { ...token, header_format: 'Tökén {}' } }, 'config.auth.header_format'],
  ])('%j is refused, naming %s', (config, field) => {
    expect(complaints((problems) => parse(config, problems))).toEqual([field])
  })

  test.each([
    [{ filter: { status: {} } }, 'Give at least 1 of: gt, gte, lt, lte, exists.'],
    [{ filter: { status: { like: 'p' } } }, 'Unknown field. Expected: gt, gte, lt, lte, exists.'],
    [{ filter: { status: '\u{1F600}'.repeat(257) } }, 'Use at most 256 characters.'],
    [{ rate_limit: { per_second: 5, per_minute: 5 } }, 'Unknown field. Expected: per_second, burst.'],
    [{ auth: { ...basic, url: token.url } }, 'Unknown field. Expected: auth_type, username, password.'],
    [{ auth: { ...token, header_format: '' } }, 'Use ASCII characters, with {} once for the token.'],
  ])('%j is refused with what was expected: %s', (config, sentence) => {
    expect(Object.values(faults((problems) => parse(config, problems))).flat()).toEqual([sentence])
  })

  test('of ten thousand unknown fields the first five hundred are named', () => {
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, number) => [`field${number}`, 1]))
    expect(complaints((problems) => parse({ rate_limit: { per_second: 5, ...unknown } }, problems))).toEqual(
      Array.from({ length: 500 }, (_, number) => `config.rate_limit.field${number}`).toSorted(),
    )
  })

  test('a text in a filter has as many characters as one sees', () => {
    expect(complaints((problems) => parse({ filter: { status: '\u{1F600}'.repeat(256) } }, problems))).toEqual([])
  })
})

describe('the created_date filters', () => {
  const range = (query: object) => {
    const { createdFrom, createdBefore } = createdBetween(query, 'created_date', 'beginnings')
    return [createdFrom?.toISOString(), createdBefore?.toISOString()]
  }

  test.each([
    [{}, undefined, undefined],
    [{ created_date: '2026-11-21' }, '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    [{ created_date: '2026-11-21T09:30:00.123Z' }, '2026-11-21T09:30:00.123Z', '2026-11-21T09:30:00.124Z'],
    [{ created_date__gt: '2026-11-21' }, '2026-11-21T00:00:00.001Z', undefined],
    [{ created_date__gte: '2026-11-21 09:30:00' }, '2026-11-21T09:30:00.000Z', undefined],
    [{ created_date__lt: '2026-11-21T09:30:00' }, undefined, '2026-11-21T09:30:00.000Z'],
    [{ created_date__lte: '2026-11-21T09:30:00+03:00' }, undefined, '2026-11-21T06:30:00.001Z'],
    [
      { created_date__gte: '2026-11-01', created_date: '2026-11-21', created_date__lt: '2026-11-21T12:00:00Z' },
      '2026-11-21T00:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
    ],
  ])('%j reach from %s to %s', (query, from, before) => {
    expect(range(query)).toEqual([from, before])
  })

  test.each([
    '',
    'today',
    '2026-13-01',
    '2026-02-30',
    '2026-11-21T25:00:00Z',
    '2026-11-21T09:30',
    '21.11.2026',
    '1763717400',
  ])('%j is not a date', (text) => {
    expect(() => createdBetween({ created_date__lt: text }, 'created_date', 'beginnings')).toThrow(
      expect.objectContaining({ details: { fields: { created_date__lt: [expect.any(String)] } } }),
    )
  })
})
