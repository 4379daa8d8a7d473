import { expect, test } from 'vitest'
import { loggedHeaders, prepareReceiver, requestHeaders, secretValues } from './request-headers.ts'
import { newSecrets, rotatedSecrets } from '../secrets/secrets.ts'
import { signingKeys, whispererSignature } from './signing.ts'

const subscription = {
  id: 1,
  version: 1,
  scope: 'back-office',
  dialect: 'whisperer',
  envelope: 'standard',
  url: 'https://receiver.test/',
  headers: { 'X-Shop': 'north', 'X-Key': 'k3y', PIN: '1234' },
  secret: 'a secret',
  signature: 'v1',
  auth: null,
  retry: { choice: 'fixed', kwargs: { seconds: 60 } },
  isActive: true,
} as const
const receiver = prepareReceiver(subscription)
const outgoing = {
  webhookId: 'an-id',
  eventType: 'package.created',
  sequence: 3,
  contentType: 'application/json',
  body: '{}',
}

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

test('a test has no number, which would be taken for that of the object in its example', () => {
  const headers = requestHeaders(receiver, { ...outgoing, isTest: true }, new Date(), 'Waybill/1')
  expect(headers).toMatchObject({ 'x-waybill-test': 'true' })
  expect(headers).not.toHaveProperty('x-waybill-sequence')
})

test('an old secret signs no more from its time on, in a receiver that was prepared before', () => {
  const now = new Date('2026-11-21T09:30:00Z')
  const secrets = rotatedSecrets(newSecrets(subscription), { secret: 'new', overlapMs: 60_000, now })
  const prepared = prepareReceiver({ ...subscription, ...secrets })
  const signatures = (afterMs: number) =>
    requestHeaders(prepared, outgoing, new Date(now.getTime() + afterMs), 'Waybill/1')['webhook-signature']?.split(' ')
  expect(signatures(59_999)).toHaveLength(2)
  expect(signatures(60_000)).toHaveLength(1)
})

test('x-whisperer-signature has one value, of the newest secret', () => {
  const secrets = rotatedSecrets(newSecrets(subscription), { secret: 'new', now: new Date() })
  const headers = requestHeaders(prepareReceiver({ ...subscription, ...secrets }), outgoing, new Date(), 'Waybill/1')
  expect(headers['x-whisperer-signature']).toBe(whispererSignature(signingKeys('new').whisperer, '{}'))
})

test('a key pair signs webhook-signature, and without a secret there is no x-whisperer-signature', () => {
  const secrets = newSecrets({ signature: 'v1a', secret: null })
  const headers = requestHeaders(prepareReceiver({ ...subscription, ...secrets }), outgoing, new Date(), 'Waybill/1')
  expect(headers['webhook-signature']).toMatch(/^v1a,\S+$/)
  expect(headers).not.toHaveProperty('x-whisperer-signature')
})

test('a prepared receiver holds no private key as text', () => {
  const secrets = newSecrets({ signature: 'v1a', secret: null })
  const prepared = JSON.stringify(prepareReceiver({ ...subscription, ...secrets }))
  expect(prepared).not.toContain(secrets.privateKey)
})

test('what counts as a secret in an answer are signatures and headers that carry credentials by name', () => {
  const headers = {
    accept: 'application/json',
    'x-env': 'production',
    authorization: 'Bearer abc',
    'webhook-signature': 'v1,x',
  }
  expect(secretValues(headers)).toEqual(['Bearer abc', 'v1,x'])
})
