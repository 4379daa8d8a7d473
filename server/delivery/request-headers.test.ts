import { expect, test } from 'vitest'
import { loggedHeaders, prepareReceiver, requestHeaders } from './request-headers.ts'

const receiver = prepareReceiver({
  id: 1,
  version: 1,
  scope: 'back-office',
  dialect: 'whisperer',
  url: 'https://receiver.test/',
  headers: { 'X-Shop': 'north', 'X-Key': 'k3y', PIN: '1234' },
  secret: 'a secret',
  auth: null,
  retry: { choice: 'fixed', kwargs: { seconds: 60 } },
  isActive: true,
})
const outgoing = { webhookId: 'an-id', eventType: 'package.created', sequence: 3, body: '{}' }

test('the log keeps our own headers without the signatures, and of all others the names alone', () => {
  const own = requestHeaders(receiver, outgoing, new Date('2026-11-21T09:30:00Z'), 'Waybill/1')
  expect(loggedHeaders({ authorization: 'Basic c2hvcA==', ...own })).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Waybill/1',
    'accept-encoding': 'identity',
    'webhook-id': 'an-id',
    'webhook-timestamp': '1795253400',
    'x-waybill-sequence': '3',
    'x-whisperer-event': 'package.created',
    'webhook-signature': '********',
    'x-whisperer-signature': '********',
    authorization: '********',
    'x-shop': '********',
    'x-key': '********',
    pin: '********',
  })
})
