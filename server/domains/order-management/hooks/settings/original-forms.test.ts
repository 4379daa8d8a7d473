import { describe, expect, test } from 'vitest'
import { readForm, withoutTexts } from './original-forms.ts'

const urlencoded = 'application/x-www-form-urlencoded'

describe('a form', () => {
  test('of the original leads by dots into objects, whose JSON is read', async () => {
    const text =
      'event_type=package-created&target_url=x&retry_countdown_config.choice=fixed&retry_countdown_config.kwargs='
    expect(await readForm(Buffer.from(text + encodeURIComponent('{"seconds": 1}')), urlencoded)).toEqual({
      event_type: 'package-created',
      target_url: 'x',
      retry_countdown_config: { choice: 'fixed', kwargs: { seconds: 1 } },
    })
  })

  test('gives several events as JSON, or one as it is', async () => {
    const read = (eventType: string) =>
      readForm(Buffer.from(String(new URLSearchParams({ event_type: eventType }))), urlencoded)
    expect(await read('["package.created", "shipment.*"]')).toEqual({ event_type: ['package.created', 'shipment.*'] })
    expect(await read('[package')).toEqual({ event_type: '[package' })
    expect(await read('7')).toEqual({ event_type: '7' })
  })

  test('in several parts is read like one in a line', async () => {
    const form = new FormData()
    form.append('event_type', 'package.*')
    form.append('event_type', 'stock.changed')
    form.append('config', '')
    form.append('retry_countdown_config', 'linear')
    const { headers, body } = new Request('http://localhost', { method: 'POST', body: form })
    const bytes = Buffer.from(await new Response(body).arrayBuffer())
    expect(await readForm(bytes, headers.get('content-type') ?? '')).toEqual({
      event_type: ['package.*', 'stock.changed'],
      config: null,
      retry_countdown_config: 'linear',
    })
  })

  test('cannot reach the prototype of objects', async () => {
    const read = await readForm(Buffer.from('__proto__.isAdmin=1&constructor.prototype.isAdmin=1'), urlencoded)
    expect(Object.hasOwn(read, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })

  const part = 'Content-Disposition: form-data; name="x"'
  test.each([
    ['is no form', 'text'],
    ['ends within a field', `--x\r\n${part}\r\n\r\nabc`],
    ['ends within a file', `--x\r\n${part}; filename="y"\r\nContent-Type: text/plain\r\n\r\nabc`],
    ['has a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--x--'],
    ['has too many parts', `${`--x\r\n${part}\r\n\r\nabc\r\n`.repeat(1_001)}--x--`],
  ])('in several parts that %s is refused', async (_, body) => {
    await expect(readForm(Buffer.from(body), 'multipart/form-data; boundary=x')).rejects.toMatchObject({ status: 400 })
  })

  test.each([
    ['too many fields', 'x=1&'.repeat(1_001)],
    ['JSON nested too deep', `config=${'['.repeat(400_000)}${']'.repeat(400_000)}`],
  ])('with %s is refused', async (_, body) => {
    await expect(readForm(Buffer.from(body), urlencoded)).rejects.toMatchObject({ status: 400 })
  })
})

test.each([
  [{ is_active: 'False' }, { is_active: false }],
  [
    { is_active: 'on', force: '0', start: 'true' },
    { is_active: true, force: false, start: true },
  ],
  [{ is_active: 'perhaps' }, { is_active: 'perhaps' }],
  [
    { secret_key: '', callback: '' },
    { secret_key: null, callback: null },
  ],
  [
    { additional_headers: { 'X-Shop': 7, 'content-type': 'application/json; charset=utf-8' } },
    { additional_headers: { 'X-Shop': '7' } },
  ],
  [{ additional_headers: { 'Content-Type': 'text/plain' } }, { additional_headers: { 'Content-Type': 'text/plain' } }],
  [
    { retry_countdown_config: { choice: 'fixed', kwargs: { seconds: '60' } } },
    { retry_countdown_config: { choice: 'fixed', kwargs: { seconds: 60 } } },
  ],
  [{ config: { max_attempts: '5', other: '5' } }, { config: { max_attempts: 5, other: '5' } }],
])('The texts of %j mean %j', (body, meant) => {
  expect(withoutTexts(body)).toEqual(meant)
})
