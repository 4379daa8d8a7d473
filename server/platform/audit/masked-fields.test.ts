import { expect, test } from 'vitest'
import { maskedFields } from './masked-fields.ts'

test.each([
  [
    { name: 'Ada', password: 'hush' },
    { name: 'Ada', password: '***' },
  ],
  [
    { event_type: 'a.b', target_url: 'https://u:p@example.com/hush', additional_headers: { 'X-Shop': 'hush' } },
    { event_type: 'a.b', target_url: '***', additional_headers: '***' },
  ],
  [
    { config: { auth: { username: 'hush' } }, is_active: true },
    { config: '***', is_active: true },
  ],
  [
    { headers: null, QUOTATION_VALID_DAYS: 14 },
    { headers: null, QUOTATION_VALID_DAYS: 14 },
  ],
])('%j is kept without secrets', (body, kept) => {
  expect(JSON.stringify(maskedFields(body))).not.toContain('hush')
  expect(maskedFields(body)).toMatchObject(kept)
})

test.each([[null], ['text'], [[1]], [Buffer.from('a')], [{ note: 'x'.repeat(20_001) }]])(
  'nothing is kept of others',
  (body) => {
    expect(maskedFields(body)).toBeNull()
  },
)
