import { describe, expect, test } from 'vitest'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

// Every field of document 1, written out once more, at its limit and beyond.

const { callAs } = await makeProjects(await makeTestApp())

let slugs = 0
const create = async (fields: object) => {
  const answer = await callAs('developer', 'POST /projects', { name: 'Fields', slug: `fields-${++slugs}`, ...fields })
  const body = answer.json<Record<string, unknown> & { validationError?: Record<string, string[]> }>()
  return { status: answer.statusCode, body, errors: body.validationError ?? {} }
}
/** `a.0.b` → the body that has the value there. */
const bodyWith = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value) as object
const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)

const accepted = async (path: string, value: unknown): Promise<unknown> => {
  const { status, body, errors } = await create(bodyWith(path, value))
  expect([status, errors]).toEqual([201, {}])
  return valueAt(body, path)
}
const refused = async (path: string, value: unknown, at = path): Promise<string[]> => {
  const { status, errors } = await create(bodyWith(path, value))
  expect([status, Object.keys(errors)]).toEqual([400, [at]])
  return errors[at] ?? []
}

const both = (paths: readonly string[]): string[] =>
  ['production', 'staging'].flatMap((environment) => paths.map((path) => path.replace('*', environment)))
const fields = {
  text: [
    ...both(['credential.android.*.keyAlias', 'credential.huawei.*.keyAlias']),
    ...both(['additionalCredentials.ios.*.0.bundleIdentifier']),
    'storeCredentials.googlePlay.packageName',
    ...['keyId', 'keyIssuerId', 'appIdentifier', 'teamId', 'teamName', 'appSpecificId'].map(
      (name) => `storeCredentials.appleAppStore.${name}`,
    ),
    'storeCredentials.huaweiAppGallery.clientId',
    ...[
      'createdAt',
      'deploymentId',
      'envVersion',
      'publishedAt',
      'publisher',
      'storeVersion',
      'tag',
      'updatedAt',
    ].flatMap((name) => both(['android', 'huawei', 'ios'].map((platform) => `appStatuses.${platform}.*.${name}`))),
  ],
  secret: [
    ...both(
      ['android', 'huawei'].flatMap((name) => [
        `credential.${name}.*.keystorePassword`,
        `credential.${name}.*.keyPassword`,
      ]),
    ),
    ...both(['credential.ios.*.password', 'credential.ios.*.certificateApnKey']),
    'storeCredentials.huaweiAppGallery.clientSecret',
  ],
  file: [
    ...both(['credential.android.*.keystore', 'credential.huawei.*.keystore']),
    ...both(['provisioningProfile', 'certificate', 'certificateApn'].map((name) => `credential.ios.*.${name}`)),
    ...both(['additionalCredentials.ios.*.0.provisioningProfile']),
    'storeCredentials.googlePlay.googleServiceFile',
  ],
  time: [
    ...both(['credential.ios.*.provisioningExpiration', 'credential.ios.*.certificateExpiration']),
    ...both(['additionalCredentials.ios.*.0.provisioningExpiration']),
  ],
  truth: [
    'storeCredentials.appleAppStore.keyInHouse',
    ...both(['android', 'huawei', 'ios'].map((platform) => `appStatuses.${platform}.*.status`)),
  ],
  number: both(['android', 'huawei'].map((platform) => `appStatuses.${platform}.*.versionCode`)),
}
const mask = '********'
const strings = ['text', 'secret', 'file', 'time'] as const

test.each(fields.text)('%s is a text of at most 2,048 characters', async (path) => {
  const longest = 'ş'.repeat(2_048)
  expect(await accepted(path, longest)).toBe(longest)
  expect(await refused(path, `${longest}ş`)).toEqual(['Use at most 2048 characters.'])
})

test.each(fields.secret)('%s is a text of at most 2,048 characters that is never shown', async (path) => {
  expect(await accepted(path, 'x'.repeat(2_048))).toBe(mask)
  expect(await accepted(path, '')).toBe(mask)
  expect(await refused(path, 'x'.repeat(2_049))).toEqual(['Use at most 2048 characters.'])
})

test('storeCredentials.appleAppStore.apiKeyFile is a text of at most 20,000 characters that is never shown', async () => {
  const path = 'storeCredentials.appleAppStore.apiKeyFile'
  expect(await accepted(path, 'x'.repeat(20_000))).toBe(mask)
  expect(await refused(path, 'x'.repeat(20_001))).toEqual(['Use at most 20000 characters.'])
  expect(await refused(path, 5)).toEqual(['Expected a string.'])
})

test.each(fields.file)('%s is an absolute URI of at most 2,048 characters', async (path) => {
  const longest = `https://example.com/${'x'.repeat(2_028)}`
  expect(await accepted(path, longest)).toBe(longest)
  expect(await accepted(path, 's3://bucket/key.p12')).toBe('s3://bucket/key.p12')
  expect(await refused(path, `${longest}x`)).toEqual(['Use at most 2048 characters.'])
  for (const other of ['', 'key.p12', '/files/key.p12', '//example.com/key.p12', 'https://example.com/a b']) {
    expect(await refused(path, other)).toEqual(['Expected a URL.'])
  }
})

describe.each(fields.time)('%s', (path) => {
  test.each([
    ['2027-03-01T12:00:00Z', '2027-03-01T12:00:00.000Z'],
    ['2027-03-01t12:00:00.123456z', '2027-03-01T12:00:00.123Z'],
    ['2027-03-01T12:00:00+03:00', '2027-03-01T09:00:00.000Z'],
    ['2027-03-01 12:00:00', '2027-03-01T12:00:00.000Z'],
    ['2028-02-29 00:00:00', '2028-02-29T00:00:00.000Z'],
  ])('takes %s and is answered in UTC', async (sent, answered) => {
    expect(await accepted(path, sent)).toBe(answered)
  })

  test.each(['', '2027-03-01', '2027-02-29T00:00:00Z', '2027-13-01T00:00:00Z', 'tomorrow', '1803902400'])(
    'refuses %j',
    async (sent) => {
      expect(await refused(path, sent)).toEqual(['Expected a date and time such as 2026-11-21T09:30:00Z.'])
    },
  )
})

test.each(strings.flatMap((kind) => fields[kind]))('%s is nothing but a text', async (path) => {
  for (const value of [5, true, {}, []]) expect(await refused(path, value)).toEqual(['Expected a string.'])
})

test.each(fields.truth)('%s is true or false', async (path) => {
  expect([await accepted(path, true), await accepted(path, false)]).toEqual([true, false])
  for (const value of ['true', 1, {}]) expect(await refused(path, value)).toEqual(['Expected true or false.'])
})

test.each(fields.number)('%s is a number', async (path) => {
  for (const value of [0, -1, 140, 1.5, Number.MAX_SAFE_INTEGER, 1e300]) expect(await accepted(path, value)).toBe(value)
  for (const value of ['140', true, []]) expect(await refused(path, value)).toEqual(['Expected a number.'])
})

describe('an object', () => {
  const inner = Object.values(fields).flat()
  const parents = new Set(
    inner.flatMap((path) => {
      const names = path.split('.')
      return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'))
    }),
  )
  const objects = [...parents].filter((path) => !/^additionalCredentials\.ios\.(production|staging)$/.test(path))

  test.each(objects)('%s is an object, and has no other fields', async (path) => {
    for (const value of [5, 'text', []]) expect(await refused(path, value)).toEqual(['Expected an object.'])
    for (const name of ['other', 'constructor', 'toString']) {
      expect(await refused(`${path}.${name}`, 1)).toEqual(['Unknown field.'])
    }
  })

  test('of ios has no version code', async () => {
    expect(await refused('appStatuses.ios.production.versionCode', 1)).toEqual(['Unknown field.'])
  })

  test('knows no other platform, environment or store', async () => {
    for (const path of [
      'credential.windows',
      'credential.android.test',
      'additionalCredentials.android',
      'storeCredentials.huawei',
      'appStatuses.web',
    ]) {
      expect(await refused(path, {})).toEqual(['Unknown field.'])
    }
  })
})

describe.each(both(['additionalCredentials.ios.*']))('%s', (path) => {
  const credentials = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ bundleIdentifier: `app.${index}` }))

  test('is a list of at most 100', async () => {
    expect(await accepted(path, credentials(100))).toEqual(credentials(100))
    expect(await refused(path, credentials(101))).toEqual(['Give at most 100 items.'])
    expect(await accepted(path, [])).toEqual([])
    for (const value of [{}, 'a', 1]) expect(await refused(path, value)).toEqual(['Expected a list.'])
  })

  test('is a list of objects', async () => {
    for (const value of [5, 'a', null, []]) {
      expect(await refused(path, [{}, value], `${path}.1`)).toEqual(['Expected an object.'])
    }
  })

  test('names the place of what is wrong', async () => {
    expect(await refused(path, [{}, { provisioningExpiration: 'x' }], `${path}.1.provisioningExpiration`)).toHaveLength(
      1,
    )
  })
})

describe('of a project itself', () => {
  test.each([
    ['name', 'ab'],
    ['name', 'ş'.repeat(100)],
    ['slug', 'a-'],
    ['slug', `${'x'.repeat(98)}-9`],
    ['description', ''],
    ['description', 'ş'.repeat(255)],
    ['status', 'active'],
    ['status', 'inactive'],
    ['status', 'draft'],
    ['appIconUrl', 'http://example.com/i.png'],
    ['appIconUrl', `HTTPS://example.com/${'x'.repeat(2_028)}`],
  ])('%s can be %j', async (name, value) => {
    expect(await accepted(name, value)).toBe(value)
  })

  test.each([
    ['name', ['a', 'ş'.repeat(101), '', '   ', 5, null, ['ab'], {}]],
    ['slug', ['a', 'x'.repeat(101), 'Ab', 'a_b', 'a b', 'aş', 'ab\n', '', 5, null, []]],
    ['description', ['x'.repeat(256), 5, [], {}]],
    ['status', ['Active', 'deleted', '', 5, null, ['active']]],
    [
      'appIconUrl',
      ['', 'icon.png', '/i.png', 'ftp://example.com/i', 'javascript:alert(1)', 'http://', 'https://', 5, {}],
    ],
    ['appIconUrl', [`https://example.com/${'x'.repeat(2_029)}`]],
  ])('%s can be nothing else', async (name, values) => {
    for (const value of values) expect(await refused(name, value)).not.toEqual([])
  })

  test.each(['name', 'slug'])('%s is required', async (name) => {
    expect(await refused(name, undefined)).toEqual(['This field is required.'])
  })

  test('unknown fields are refused, all faults at once', async () => {
    const { errors } = await create({ name: 'x', owner: 'me', credential: { ios: { production: { pin: '1' } } } })
    expect(errors).toEqual({
      name: ['Use at least 2 characters.'],
      owner: ['Unknown field.'],
      'credential.ios.production.pin': ['Unknown field.'],
    })
  })

  test('the body is an object', async () => {
    for (const body of [[], 'text', 5, null]) {
      const answer = await callAs('developer', 'POST /projects', JSON.stringify(body), {
        'content-type': 'application/json',
      })
      expect(answer.statusCode).toBe(400)
    }
  })

  test('a change follows the same rules', async () => {
    const { body } = await create({})
    const url = `PATCH /projects/${String(body['_id'])}`
    const wrong = {
      name: 'x',
      slug: 'X',
      status: null,
      owner: 1,
      credential: { ios: { production: { certificateExpiration: 1 } } },
    }
    const answer = await callAs('developer', url, wrong)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<{ validationError: object }>().validationError).toSorted()).toEqual([
      'credential.ios.production.certificateExpiration',
      'name',
      'owner',
      'slug',
      'status',
    ])
  })
})
