import { describe, expect, test } from 'vitest'
import type { FailedDelivery, LastFailure } from './failed-deliveries-store.ts'
import { failureText } from './failure-text.ts'

const answered: LastFailure = {
  reason: 'http_500',
  detail: null,
  responseStatus: 500,
  requestHeaders: { 'content-type': 'application/json', 'webhook-signature': 'v1,***' },
  responseHeaders: { 'content-type': 'text/plain' },
  responseBody: 'broken',
}
const delivery: FailedDelivery = {
  id: 1,
  subscriptionId: 2,
  scope: 'back-office',
  event: {
    type: 'package.created',
    objectType: 'package',
    objectId: '9',
    envelope: 'standard',
    content: { kind: 'json', text: '{"id":9}', bytes: 8 },
  },
  last: answered,
}
const subject = { what: 'Delivery', isConfidential: false }
const url = 'https://user:hush-pass@shop.example:8443/hush-path?token=hush-query#hush'
const textOf = (fields: Partial<FailedDelivery>) => failureText({ ...delivery, ...fields }, subject, url)

describe('the texts of a failure', () => {
  test('are what was sent and answered, with nothing of the URL but its origin', () => {
    expect(failureText(delivery, { ...subject, what: 'Flow “ERP”' }, url)).toEqual({
      errorCode: 'http_500',
      errorDesc: 'Flow “ERP” to https://shop.example:8443 failed',
      rawRequest:
        'POST https://shop.example:8443\ncontent-type: application/json\nwebhook-signature: v1,***\n\n{"id":9}',
      rawResponse: 'HTTP 500\ncontent-type: text/plain\n\nbroken',
    })
    expect(JSON.stringify(textOf({}))).not.toContain('hush')
  })

  test('without an answer say why there is none', () => {
    const none = { ...answered, responseStatus: null, responseHeaders: null, responseBody: null, reason: 'timeout' }
    expect(textOf({ last: { ...none, detail: 'No answer in 30 s.' } }).rawResponse).toBe('timeout: No answer in 30 s.')
    expect(textOf({ last: none }).rawResponse).toBe('timeout')
  })

  test.each([
    [
      'bytes by their type and size',
      { kind: 'raw', mediaType: 'application/pdf', bytes: 1_234 },
      '[application/pdf, 1234 bytes]',
    ],
    ['a long body by its beginning', { kind: 'json', text: '"ü', bytes: 70_000 }, '[the first 3 of 70000 bytes]\n"ü'],
  ] as const)('show %s', (_, content, shown) => {
    const event = { type: 'flow.data', objectType: 'flow', objectId: '1', envelope: 'standard', content } as const
    expect(textOf({ event }).rawRequest.split('\n\n')[1]).toBe(shown)
  })

  test('say nothing of what was sent when that is for others', () => {
    const { rawRequest } = failureText(delivery, { ...subject, isConfidential: true }, url)
    expect(rawRequest).toContain('for the members of the project')
    expect(rawRequest).not.toContain('"id":9')
  })

  test('say when the event is not kept, or the URL cannot be read', () => {
    expect(textOf({ event: undefined, last: { ...answered, requestHeaders: null } }).rawRequest).toBe(
      'POST https://shop.example:8443\n\n[the event is not kept any more]',
    )
    expect(failureText(delivery, subject, undefined).errorDesc).toBe('Delivery to an unknown address failed')
  })
})
