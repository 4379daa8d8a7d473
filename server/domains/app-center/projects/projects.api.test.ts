import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mask } from '#delivery/subscriber/mask.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import { arbitraryObjects, secretMark } from '#testing/data/arbitrary-projects.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects, type Caller } from '#testing/make-projects.ts'
import { makeTestApp, testSecretKey } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const { db } = testApp.database
const { callAs, organizationId } = await makeProjects(testApp)

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly errors: Record<string, string[]>
}
const as = async (caller: Caller, methodAndUrl: string, body?: unknown, headers = {}): Promise<Answer> => {
  const answer = await callAs(caller, methodAndUrl, body, headers)
  const json = answer.json<Record<string, unknown>>()
  return { status: answer.statusCode, body: json, errors: (json['validationError'] ?? {}) as Answer['errors'] }
}
/** The lowest first: which of two comes first is open. */
const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)
let slugs = 0
const newSlug = (): string => `slug-${++slugs}`
/** @returns the URL of a new project, relative to its organization. */
const make = async (fields: object = {}): Promise<string> => {
  const { status, body } = await as('developer', 'POST /projects', { name: 'Drivers', slug: newSlug(), ...fields })
  expect([status, body]).toEqual([201, expect.objectContaining({ status: expect.any(String) })])
  return `/projects/${String(body['_id'])}`
}
const read = async (url: string) => (await as('viewer', `GET ${url}`)).body
const sealedOf = async (url: string): Promise<unknown> => {
  const { sealed } = await db
    .selectFrom('projects')
    .select('sealed')
    .where('id', '=', url.split('/')[2] ?? '')
    .executeTakeFirstOrThrow()
  return JSON.parse(makeVault(testSecretKey).open(sealed))
}

const keystore = {
  keystore: 'https://files.example.com/release.keystore',
  keystorePassword: 'hush-keystore',
  keyAlias: 'release',
  keyPassword: 'hush-key',
}
const shownKeystore = { ...keystore, keystorePassword: mask, keyPassword: mask }
const ios = { certificate: 'https://files.example.com/app.p12', password: 'hush-certificate' }
const shownIos = { ...ios, password: mask }

describe('a new project', () => {
  test('is a draft without anything but its name and slug', async () => {
    const answer = await callAs('developer', 'POST /projects', { name: 'Waybill for drivers', slug: 'drivers' })
    expect(answer.statusCode).toBe(201)
    const body = answer.json<{ _id: string }>()
    const now = clock.now().toISOString()
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Waybill for drivers',
      slug: 'drivers',
      description: '',
      organization: organizationId,
      credential: {},
      additionalCredentials: {},
      storeCredentials: {},
      appStatuses: {},
      status: 'draft',
      createdAt: now,
      updatedAt: now,
    })
    expect(answer.headers.location).toMatch(
      new RegExp(`^http.*/api/v1/organizations/${organizationId}/projects/${body._id}$`),
    )
    expect((await as('viewer', `GET /projects/${body._id}`)).body).toEqual(body)
    expect((await as('viewer', `GET /projects/${body._id.toUpperCase()}/`)).body).toEqual(body)
  })

  test('takes everything else at once, and shows no secret of it', async () => {
    const url = await make({
      description: 'For the road',
      status: 'active',
      appIconUrl: 'https://files.example.com/icon.png',
      credential: { android: { production: keystore }, huawei: { staging: keystore }, ios: { production: ios } },
      storeCredentials: { huaweiAppGallery: { clientId: 'id', clientSecret: 'hush-client' } },
      appStatuses: { huawei: { production: { versionCode: 7, status: true } } },
    })
    expect(await read(url)).toMatchObject({
      description: 'For the road',
      status: 'active',
      appIconUrl: 'https://files.example.com/icon.png',
      credential: {
        android: { production: shownKeystore },
        huawei: { staging: shownKeystore },
        ios: { production: shownIos },
      },
      storeCredentials: { huaweiAppGallery: { clientId: 'id', clientSecret: mask } },
      appStatuses: { huawei: { production: { versionCode: 7, status: true } } },
    })
    expect(await sealedOf(url)).toMatchObject({ credential: { android: { production: keystore } } })
  })

  test('ignores what is read-only, and takes null for nothing', async () => {
    const url = await make({
      _id: 'x',
      organization: 5,
      lastActivityAt: 'yesterday',
      createdAt: null,
      updatedAt: {},
      description: null,
      appIconUrl: null,
      credential: null,
      storeCredentials: { googlePlay: null },
      additionalCredentials: { ios: { production: [{ bundleIdentifier: 'a', provisioningExpiration: null }] } },
    })
    const body = await read(url)
    expect(body).toMatchObject({
      organization: organizationId,
      description: '',
      credential: {},
      storeCredentials: {},
      additionalCredentials: { ios: { production: [{ bundleIdentifier: 'a' }] } },
    })
    expect(body).not.toHaveProperty('lastActivityAt')
    expect(body).not.toHaveProperty('appIconUrl')
  })

  test('cannot have a slug of its organization, also when two are made at once', async () => {
    const slug = newSlug()
    const answers = await Promise.all(['One', 'Other'].map((name) => as('developer', 'POST /projects', { name, slug })))
    expect(statusesOf(answers)).toEqual([201, 400])
    expect(answers.find(({ status }) => status === 400)?.errors).toEqual({
      slug: ['Another project of the organization has this slug.'],
    })
  })

  test('can have the slug of a project of another organization', async () => {
    const slug = newSlug()
    await make({ slug })
    const { body } = await as('outsider', 'POST /api/v1/organizations', { name: 'Another' })
    const url = `/api/v1/organizations/${String(body['_id'])}/projects`
    expect((await as('outsider', `POST ${url}`, { name: 'Another', slug })).status).toBe(201)
  })

  test('is made once for an Idempotency-Key', async () => {
    const body = { name: 'Once', slug: newSlug(), credential: { ios: { production: ios } } }
    const key = { 'idempotency-key': 'once' }
    const first = await as('developer', 'POST /projects', body, key)
    const second = await as('developer', 'POST /projects', body, key)
    expect(second).toEqual(first)
    expect(first.body).toMatchObject({ credential: { ios: { production: shownIos } } })
  })
})

describe('a change', () => {
  test('of one platform leaves the others and their secrets', async () => {
    const url = await make({
      credential: { android: { production: keystore }, ios: { production: { password: 'hush' } } },
    })
    clock.advance(1_000)
    const { status, body } = await as('developer', `PATCH ${url}`, {
      name: 'Renamed',
      credential: { ios: { production: ios } },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Renamed',
      credential: { android: { production: shownKeystore }, ios: { production: shownIos } },
      updatedAt: clock.now().toISOString(),
    })
    expect(await read(url)).toEqual(body)
    expect(await sealedOf(url)).toMatchObject({
      credential: { android: { production: keystore }, ios: { production: ios } },
    })
  })

  test('with the mask keeps the secret; with another value sets it; with null removes it', async () => {
    const url = await make({ credential: { ios: { production: ios } } })
    const patch = (password: unknown) =>
      as('developer', `PATCH ${url}`, { credential: { ios: { production: { certificate: null, password } } } })
    expect((await patch(mask)).body).toMatchObject({ credential: { ios: { production: { password: mask } } } })
    expect(await sealedOf(url)).toMatchObject({ credential: { ios: { production: { password: ios.password } } } })
    await patch('hush-new')
    expect(await sealedOf(url)).toMatchObject({ credential: { ios: { production: { password: 'hush-new' } } } })
    expect((await patch(null)).body).toMatchObject({ credential: { ios: { production: {} } } })
    expect(await sealedOf(url)).toMatchObject({ credential: { ios: { production: {} } } })
    expect((await patch(mask)).errors).toEqual({
      'credential.ios.production.password': [expect.stringContaining('send the value itself')],
    })
  })

  test.each([
    ['credential.android.production.keystorePassword'],
    ['credential.android.staging.keyPassword'],
    ['credential.huawei.production.keystorePassword'],
    ['credential.huawei.staging.keyPassword'],
    ['credential.ios.production.password'],
    ['credential.ios.staging.certificateApnKey'],
    ['storeCredentials.appleAppStore.apiKeyFile'],
    ['storeCredentials.huaweiAppGallery.clientSecret'],
  ])('with the mask at %s is refused where nothing is stored, and changes nothing', async (path) => {
    const url = await make()
    const value = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), mask) as object
    const { status, errors } = await as('developer', `PATCH ${url}`, { name: 'Changed', ...value })
    expect([status, Object.keys(errors)]).toEqual([400, [path]])
    expect(await read(url)).toMatchObject({ name: 'Drivers', credential: {}, storeCredentials: {} })
    const created = await as('developer', 'POST /projects', { name: 'New', slug: newSlug(), ...value })
    expect([created.status, Object.keys(created.errors)]).toEqual([400, [path]])
  })

  test('replaces a list as a whole', async () => {
    const of = (production: unknown) => ({ additionalCredentials: { ios: { production } } })
    const url = await make(of([{ bundleIdentifier: 'a' }, { bundleIdentifier: 'b' }]))
    const { body } = await as('developer', `PATCH ${url}`, of([{ provisioningExpiration: '2027-01-01 00:00:00' }]))
    expect(body).toMatchObject(of([{ provisioningExpiration: '2027-01-01T00:00:00.000Z' }]))
    expect((await as('developer', `PATCH ${url}`, of([]))).body).toMatchObject(of([]))
  })

  test('with null removes an object, and what is optional', async () => {
    const url = await make({
      description: 'Text',
      appIconUrl: 'https://example.com/i.png',
      credential: { android: { production: keystore }, ios: { production: ios } },
    })
    const { body } = await as('developer', `PATCH ${url}`, {
      description: null,
      appIconUrl: null,
      credential: { android: null },
    })
    expect(body).toMatchObject({ description: '', credential: { ios: { production: shownIos } } })
    expect(body).not.toHaveProperty('appIconUrl')
    expect((body['credential'] as object) ?? {}).not.toHaveProperty('android')
    expect((await as('developer', `PATCH ${url}`, { credential: null })).body).toMatchObject({ credential: {} })
    expect(await sealedOf(url)).toMatchObject({ credential: {} })
  })

  test.each([
    ['nothing', {}],
    ['what is stored already', { name: 'Drivers', credential: { ios: { production: ios } } }],
    ['nothing in an object', { credential: {}, appStatuses: {} }],
  ])('that names %s changes nothing, not even when it was changed', async (_, change) => {
    const url = await make({ credential: { ios: { production: ios } } })
    const before = await read(url)
    clock.advance(1_000)
    expect(await as('developer', `PATCH ${url}`, change)).toMatchObject({ status: 200, body: before })
    expect(await read(url)).toEqual(before)
  })

  test('to what was read changes nothing, whatever the project holds', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryObjects, async (objects) => {
        const url = await make(objects)
        const [before, sealed] = [await read(url), await sealedOf(url)]
        expect(JSON.stringify(before)).not.toContain(secretMark)
        clock.advance(1_000)
        expect(await as('developer', `PATCH ${url}`, before)).toMatchObject({ status: 200, body: before })
        expect(await read(url)).toEqual(before)
        expect(await sealedOf(url)).toEqual(sealed)
      }),
      { numRuns: 15 },
    )
  })

  test('to the slug of another project is refused, also when both change at once', async () => {
    const [one, other] = [await make(), await make()]
    const taken = String((await read(other))['slug'])
    expect((await as('developer', `PATCH ${one}`, { slug: taken })).errors).toEqual({
      slug: ['Another project of the organization has this slug.'],
    })
    const slug = newSlug()
    const answers = await Promise.all([one, other].map((url) => as('developer', `PATCH ${url}`, { slug })))
    expect(statusesOf(answers)).toEqual([200, 400])
  })

  test('survives another one that is made at once, and both are in the project', async () => {
    const url = await make()
    const changes = [
      { name: 'Renamed' },
      { description: 'Described' },
      { credential: { android: { production: keystore } } },
      { credential: { ios: { production: ios } } },
      { storeCredentials: { googlePlay: { packageName: 'com.example' } } },
      { appStatuses: { ios: { staging: { tag: 'v1' } } } },
    ]
    const answers = await Promise.all(changes.map((change) => as('developer', `PATCH ${url}`, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect(await read(url)).toMatchObject({
      name: 'Renamed',
      description: 'Described',
      credential: { android: { production: shownKeystore }, ios: { production: shownIos } },
      storeCredentials: { googlePlay: { packageName: 'com.example' } },
      appStatuses: { ios: { staging: { tag: 'v1' } } },
    })
  })
})
