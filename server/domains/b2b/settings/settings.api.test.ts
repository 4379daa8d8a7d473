import { describe, expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { initialSettings } from './settings.ts'
import { readSettings, saveSettings } from './store.ts'

const app = await makeTestApp()
const { call, database } = app
const { person, authorization } = makePeople(app)
const url = '/api/v1/settings/'

test('are what the documents say until somebody sets them', async () => {
  expect((await call('GET', url)).json()).toEqual({
    IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED: true,
    QUOTATION_VALID_DAYS: 30,
    QUOTATION_OWNER_CONSENT_REQUIRED: false,
    QUOTATION_ITEM_EXPORT_FIELDS: ['product_remote_id', 'quantity', 'price', 'total_amount'],
    CREATE_ORDERS_ON_APPROVAL: true,
    QUOTATION_MINIMUM_AMOUNT: '0',
  })
})

test('change one by one, count at once, and can be sent back as they were read', async () => {
  const changes = { QUOTATION_VALID_DAYS: 0, QUOTATION_MINIMUM_AMOUNT: '250.5' }
  const answer = await call('PATCH', url, changes)
  expect([answer.statusCode, answer.json()]).toEqual([200, { ...initialSettings, ...changes }])
  const all = { ...answer.json<object>(), QUOTATION_ITEM_EXPORT_FIELDS: ['divisions'], QUOTATION_VALID_DAYS: 3650 }
  expect((await call('PATCH', url, all)).json()).toEqual(all)
  expect((await call('GET', url)).json()).toEqual(all)
  expect(await readSettings(database.db)).toEqual(all)
  expect((await call('PATCH', url, {})).json()).toEqual(all)
})

describe('what is no setting, or of the wrong kind, is refused by name, and nothing is set', () => {
  test.each([
    ['COLOUR', 'red'],
    ['toString', true],
    ['IS_SUB_DIVISION_QUOTATION_APPROVAL_REQUIRED', 'true'],
    ['CREATE_ORDERS_ON_APPROVAL', null],
    ['QUOTATION_OWNER_CONSENT_REQUIRED', 1],
    ['QUOTATION_VALID_DAYS', -1],
    ['QUOTATION_VALID_DAYS', 3651],
    ['QUOTATION_VALID_DAYS', 1.5],
    ['QUOTATION_VALID_DAYS', '30'],
    ['QUOTATION_ITEM_EXPORT_FIELDS', []],
    ['QUOTATION_ITEM_EXPORT_FIELDS', ['price', 'price']],
    ['QUOTATION_ITEM_EXPORT_FIELDS', ['colour']],
    ['QUOTATION_ITEM_EXPORT_FIELDS', 'price'],
    ['QUOTATION_MINIMUM_AMOUNT', 10],
    ['QUOTATION_MINIMUM_AMOUNT', '-1'],
    ['QUOTATION_MINIMUM_AMOUNT', '1.234'],
    ['QUOTATION_MINIMUM_AMOUNT', ''],
  ])('%s: %j', async (name, value) => {
    const before = (await call('GET', url)).json()
    const other = name === 'QUOTATION_VALID_DAYS' ? {} : { QUOTATION_VALID_DAYS: 7 }
    const answer = await call('PATCH', url, { ...other, [name]: value })
    const fields = Object.keys(answer.json<object>()).map((field) => field.replace(/\.\d+$/, ''))
    expect([answer.statusCode, fields]).toEqual([400, [name]])
    expect((await call('GET', url)).json()).toEqual(before)
  })
})

test('changes of different settings at once all count', async () => {
  await Promise.all([
    call('PATCH', url, { QUOTATION_VALID_DAYS: 11 }),
    call('PATCH', url, { CREATE_ORDERS_ON_APPROVAL: false }),
    call('PATCH', url, { QUOTATION_OWNER_CONSENT_REQUIRED: true }),
  ])
  expect((await call('GET', url)).json()).toMatchObject({
    QUOTATION_VALID_DAYS: 11,
    CREATE_ORDERS_ON_APPROVAL: false,
    QUOTATION_OWNER_CONSENT_REQUIRED: true,
  })
})

test('are seen by the transaction that sets them, and by nobody when it rolls back', async () => {
  const before = await readSettings(database.db)
  const days = before.QUOTATION_VALID_DAYS + 1
  const setAndFail = inTransaction(database.db, async (tx) => {
    await saveSettings(tx, { QUOTATION_VALID_DAYS: days }, { userId: 1, now: new Date() })
    expect((await readSettings(tx)).QUOTATION_VALID_DAYS).toBe(days)
    throw new Error('Not after all.')
  })
  await expect(setAndFail).rejects.toThrow('Not after all.')
  expect(await readSettings(database.db)).toEqual(before)
})

test('are read by staff, changed by superusers, and not seen by buyers', async () => {
  const statuses = async (headers: Record<string, string>) => [
    (await call('GET', url, undefined, headers)).statusCode,
    (await call('PATCH', url, { QUOTATION_VALID_DAYS: 5 }, headers)).statusCode,
  ]
  expect(await statuses(await authorization(await person({ is_staff: true })))).toEqual([200, 403])
  expect(await statuses(await authorization(await person()))).toEqual([403, 403])
  expect(await statuses({ authorization: '' })).toEqual([401, 401])
  expect(await statuses({})).toEqual([200, 200])
})
