import { describe, expect, test } from 'vitest'
import { projectEventTypes } from '#events/catalogue.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { projectUrl, callAs } = await makeProjects(testApp)
const collection = `${projectUrl}/settings/webhooks`
const valid = { name: 'Channel', url: 'https://hooks.example.com/', events: ['distribution.created'] }

const production = await makeTestApp({
  environment: { NODE_ENV: 'production', PUBLIC_URL: 'https://waybill.example.com', ALLOWED_NETWORKS: '10.7.0.0/16' },
})
const inProduction = await makeProjects(production)

const made = await callAs('developer', `POST ${collection}`, valid)
const webhook = new URL(String(made.headers.location)).pathname

/** The same fault is refused at creation and at a change, where nothing is changed. */
const refused = async (fields: object): Promise<Record<string, string[]>> => {
  const creation = await callAs('developer', `POST ${collection}`, { ...valid, ...fields })
  const change = await callAs('developer', `PATCH ${webhook}`, fields)
  expect([creation.statusCode, change.statusCode]).toEqual([400, 400])
  expect(change.json()).toEqual(creation.json())
  expect((await callAs('viewer', `GET ${webhook}`)).json()).toMatchObject({ ...valid, headers: {} })
  return creation.json<{ validationError: Record<string, string[]> }>().validationError
}
const take = async (fields: object): Promise<number> => {
  const creation = await callAs('developer', `POST ${collection}`, { ...valid, ...fields })
  await callAs('developer', `DELETE ${new URL(String(creation.headers.location), 'http://none').pathname}`)
  return creation.statusCode
}
const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'v']))

test('what is required is named', async () => {
  const answer = await callAs('developer', `POST ${collection}`, {})
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toEqual({
    validationError: {
      name: ['This field is required.'],
      url: ['This field is required.'],
      events: ['This field is required.'],
    },
  })
})

describe('refused, and named', () => {
  test.each<[string, object, string]>([
    ['an empty name', { name: '' }, 'name'],
    ['a blank name', { name: ' \t ' }, 'name'],
    ['a name of 101 characters', { name: 'ü'.repeat(101) }, 'name'],
    ['a name that is no text', { name: 7 }, 'name'],
    ['no name', { name: null }, 'name'],
    ['a name with a NUL', { name: 'a\0b' }, 'name'],
    ['a field that nobody knows', { secret: 'mine' }, 'secret'],
    ['active as text', { active: 'true' }, 'active'],
    ['a URL that is none', { url: 'hooks.example.com' }, 'url'],
    ['a URL that is empty', { url: '' }, 'url'],
    ['ftp', { url: 'ftp://hooks.example.com/' }, 'url'],
    ['a user name in the URL', { url: 'https://ayse@hooks.example.com/' }, 'url'],
    ['a password in the URL', { url: 'https://ayse:pw@hooks.example.com/' }, 'url'],
    ['an empty user name in the URL', { url: 'https://@hooks.example.com/' }, 'url'],
    ['a fragment', { url: 'https://hooks.example.com/#top' }, 'url'],
    ['an empty fragment', { url: 'https://hooks.example.com/#' }, 'url'],
    ['a blank in the URL', { url: 'https://hooks.example.com/a b' }, 'url'],
    ['a URL of 2,049 characters', { url: `https://hooks.example.com/${'a'.repeat(2_023)}` }, 'url'],
    ['an address of metadata', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['a port of another service', { url: 'https://hooks.example.com:25/' }, 'url'],
    ['headers as a list', { headers: ['X-A: b'] }, 'headers'],
    ['21 headers', { headers: many(21) }, 'headers'],
    ['a header name with a space', { headers: { 'X Team': 'v' } }, 'headers.X Team'],
    ['a header name with a colon', { headers: { 'X-Team:': 'v' } }, 'headers.X-Team:'],
    ['an empty header name', { headers: { '': 'v' } }, 'headers.'],
    ['a header name of 1,025 characters', { headers: { ['a'.repeat(1_025)]: 'v' } }, `headers.${'a'.repeat(1_025)}`],
    ['a value with a line break', { headers: { 'X-Team': 'a\r\nX-Evil: b' } }, 'headers.X-Team'],
    ['a value with a line feed at its end', { headers: { 'X-Team': 'a\n' } }, 'headers.X-Team'],
    ['a value beyond Latin-1', { headers: { 'X-Team': 'şube' } }, 'headers.X-Team'],
    ['a value of 1,025 characters', { headers: { 'X-Team': 'a'.repeat(1_025) } }, 'headers.X-Team'],
    ['a value that is no text', { headers: { 'X-Team': 7 } }, 'headers.X-Team'],
    ['the same header twice', { headers: { 'X-Team': 'a', 'x-team': 'b' } }, 'headers.x-team'],
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'connection',
      'webhook-id',
      'Webhook-Anything',
      'X-Whisperer-Event',
      'x-waybill-sequence',
      'Keep-Alive',
      'upgrade',
    ].map((name): [string, object, string] => [`the header ${name}`, { headers: { [name]: 'v' } }, `headers.${name}`]),
    ['no events', { events: [] }, 'events'],
    ['events as text', { events: 'distribution.created' }, 'events'],
    ['an event that is no text', { events: [7] }, 'events.0'],
    ['a 13th event', { events: [...projectEventTypes, 'package.created'] }, 'events.12'],
    ['an event that nobody subscribes to', { events: ['webhook.ping'] }, 'events.0'],
    ['101 events', { events: Array.from({ length: 101 }, () => 'distribution.created') }, 'events'],
  ])('%s', async (_, fields, field) => {
    expect(Object.keys(await refused(fields))).toEqual([field])
  })

  test('every event that is none, whatever is wrong with each', async () => {
    const faults = await refused({ events: ['x', 7, 'distribution.created', null, 'Distribution.Failed'] })
    expect(faults).toEqual({
      'events.0': [expect.stringMatching(/^Expected one of: .*distribution\.failed/)],
      'events.1': [expect.stringMatching(/^Expected one of: /)],
      'events.3': [expect.stringMatching(/^Expected one of: /)],
      'events.4': [expect.stringMatching(/^Expected one of: /)],
    })
    expect(Object.keys(await refused({ name: 7, events: ['x'], constructor: 1 })).toSorted()).toEqual([
      'constructor',
      'events.0',
      'name',
    ])
  })

  test.each([[null], [[]], [7]])('%j in place of a body', async (body) => {
    const creation = await callAs('developer', `POST ${collection}`, body)
    const change = await callAs('developer', `PATCH ${webhook}`, body)
    for (const answer of [creation, change])
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { validationError: { non_field_errors: ['Expected an object.'] } },
      ])
  })

  test('every fault of the form at once, then every fault of the rest', async () => {
    const form = await refused({ name: ' ', url: 'nowhere', events: ['x'], headers: { host: 'h' } })
    expect(Object.keys(form).toSorted()).toEqual(['events.0', 'name'])
    const rest = await refused({ url: 'nowhere', headers: { host: 'h' } })
    expect(Object.keys(rest).toSorted()).toEqual(['headers.host', 'url'])
  })
})

describe('taken', () => {
  test.each<[string, object]>([
    ['a name of 1 character', { name: 'x' }],
    ['a name of 100 characters that are two units each', { name: '😀'.repeat(100) }],
    ['a URL of 2,048 characters', { url: `https://hooks.example.com/${'a'.repeat(2_022)}` }],
    ['http, a port and a query', { url: 'http://hooks.example.com:8080/x?y=%20' }],
    ['this machine, outside production', { url: 'http://127.0.0.1:4100/' }],
    ['20 headers', { headers: many(20) }],
    ['a header name and value of 1,024 characters', { headers: { ['a'.repeat(1_024)]: 'v'.repeat(1_024) } }],
    ['an empty value', { headers: { 'X-Empty': '' } }],
    ['a value in Latin-1', { headers: { 'X-City': 'Münster' } }],
    [
      'headers that deliveries set themselves',
      { headers: { 'Content-Type': 'text/plain', 'User-Agent': 'x', 'Accept-Encoding': 'br' } },
    ],
    ['one event many times', { events: Array.from({ length: 100 }, () => 'distribution.created') }],
    ['read-only fields', { _id: 'x', createdAt: 1, updatedAt: null }],
  ])('%s', async (_, fields) => {
    expect(await take(fields)).toBe(201)
  })
})

describe('in production', () => {
  const create = (url: string) =>
    inProduction.callAs('developer', `POST ${inProduction.projectUrl}/settings/webhooks`, { ...valid, url })

  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://[::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://100.64.0.1/',
  ])('%s is refused', async (url) => {
    const answer = await create(url)
    expect([url, answer.statusCode]).toEqual([url, 400])
    expect(answer.json()).toHaveProperty(['validationError', 'url'])
  })

  test('an address of the allowed networks is taken', async () => {
    expect((await create('http://10.7.0.1/')).statusCode).toBe(201)
  })
})
