import { expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'

// What dj-whisperer's own client sent to the original, and how that answered; ids and times are left out.

const { call } = await makeTestApp()
const path = '/whisperer/hooks/'
const target = 'http://127.0.0.1:4100/recorded'
const one = {
  event_type: 'package-created',
  target_url: target,
  secret_key: 'secret',
  retry_countdown_config: { choice: 'fixed', kwargs: { seconds: 1 } },
}
const retry = (choice: string, kwargs: unknown) => ({ retry_countdown_config: { choice, kwargs } })

test.each([
  [{ event_type: 'nothing-like-it' }, 'event_type'],
  [{ event_type: '' }, 'event_type'],
  [{ event_type: null }, 'event_type'],
  [{ target_url: '' }, 'target_url'],
  [{ target_url: null }, 'target_url'],
  [{ callback: 'c'.repeat(65) }, 'callback'],
  [{ is_active: 'maybe' }, 'is_active'],
  [{ retry_countdown_config: {} }, 'retry_countdown_config'],
  [{ retry_countdown_config: { kwargs: { seconds: 1 } } }, 'retry_countdown_config'],
  [retry('cubic', {}), 'retry_countdown_config'],
  [retry('fixed', {}), 'retry_countdown_config'],
  [retry('fixed', { seconds: -1 }), 'retry_countdown_config'],
  [retry('fixed', { seconds: 'soon' }), 'retry_countdown_config'],
  [retry('fixed', []), 'retry_countdown_config'],
  [retry('linear', { base: -1 }), 'retry_countdown_config'],
  [retry('exponential', { factor: 0 }), 'retry_countdown_config'],
  [retry('random', {}), 'retry_countdown_config'],
])('a hook with %j is refused as by the original', async (fields, field) => {
  const answer = await call('POST', path, { ...one, ...fields })
  const fieldOf = (name: string) => name.split('.')[0]
  expect([answer.statusCode, Object.keys(answer.json<object>()).map(fieldOf)]).toEqual([
    400,
    expect.arrayContaining([field]),
  ])
})

test.each([
  ['plain', { callback: '' }, { callback: null, additional_headers: {}, config: {}, is_active: true }],
  ['no-secret', { secret_key: null }, { secret_key: null }],
  ['blank-secret', { secret_key: '' }, { secret_key: null }],
  ['linear', retry('linear', { base: 1 }), retry('linear', { base: 1 })],
  ['exponential', retry('exponential', { base: 2 }), retry('exponential', { base: 2, factor: 1 })],
  ['read-only', { id: 999, created_date: '2020-01-01T00:00:00Z', is_active: 'false' }, { is_active: false }],
  [
    'config',
    { config: { auth: { auth_type: 'basic', username: 'ann', password: 'pw' }, region: 'eu' } },
    { config: { auth: { auth_type: 'basic', username: 'ann', password: '********' }, region: 'eu' } },
  ],
  ['headers', { additional_headers: { 'X-Shop': 'seven' } }, { additional_headers: { 'X-Shop': 'seven' } }],
])('the hook %s is shown as by the original, but for its secrets', async (name, fields, shown) => {
  const body = { ...one, target_url: `${target}/${name}`, ...fields }
  const answer = await call('POST', path, body)
  expect([answer.statusCode, answer.json()]).toEqual([
    201,
    {
      ...body,
      event_type: 'package.created',
      secret_key: '********',
      callback: null,
      additional_headers: {},
      config: {},
      is_active: true,
      ...shown,
      id: expect.toSatisfy((id: number) => id !== 999),
      created_date: expect.stringMatching(/^20[2-9]\d-/),
      modified_date: expect.any(String),
    },
  ])
})

test('a hook is made by a form, whose texts are values of objects, and is active unless the form says otherwise', async () => {
  const form = new URLSearchParams({
    event_type: 'package-created',
    target_url: `${target}/form`,
    'retry_countdown_config.choice': 'fixed',
    'retry_countdown_config.kwargs': '{"seconds": 1}',
  })
  const formType = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await call('POST', path, String(form), formType)
  expect([answer.statusCode, answer.json()]).toMatchObject([
    201,
    { ...retry('fixed', { seconds: 1 }), secret_key: null, is_active: true },
  ])
  form.set('target_url', `${target}/form-off`)
  form.set('is_active', 'False')
  expect((await call('POST', path, String(form), formType)).json()).toMatchObject({ is_active: false })
})

test('what is neither JSON nor a form is 415, and is told both', async () => {
  const answer = await call('POST', path, 'event_type: package.created', { 'content-type': 'application/yaml' })
  expect([answer.statusCode, answer.json()]).toEqual([
    415,
    { detail: 'Send the body as application/json, or as a form.' },
  ])
})
