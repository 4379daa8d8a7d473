import { expect, test } from 'vitest'
import { messageOf } from './message.ts'

test.each([
  ['POST /items\n\n{"sku": "A-1"}', 'POST /items', '{"sku": "A-1"}', undefined],
  ['POST-https://shop.example/orders-{"number": 1}', 'POST-https://shop.example/orders', '{"number": 1}', undefined],
  ['409 {"error": "[taken]"}', '409', '{"error": "[taken]"}', 409],
  ['HTTP/1.1 503 Unavailable\nretry-after: 5\n\nlater', 'HTTP/1.1 503 Unavailable\nretry-after: 5', 'later', 503],
  ['HTTP 500\n\n', 'HTTP 500', '', 500],
  ['Out of stock', '', 'Out of stock', undefined],
  ['413 Request Entity Too Large', '', '413 Request Entity Too Large', 413],
  ['4096 bytes {cut', '', '4096 bytes {cut', undefined],
  ['["a"]', '', '["a"]', undefined],
])('%j has a head, a body and a status', (raw, head, body, status) => {
  expect(messageOf(raw)).toEqual({ head, body, status })
})
