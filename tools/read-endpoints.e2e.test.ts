import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openPage } from './open-page.ts'

// What Svix and Convoy answer is taken from their API descriptions; the server here is a real one.

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const svix = '/api/v1/app/app_1/endpoint'
const convoy = '/v1/projects/prj_1'
const page = (content: unknown, cursor = '') => ({
  status: true,
  data: { content, pagination: { has_next_page: cursor !== '', next_page_cursor: cursor } },
})
const endpoint = {
  status: 'active',
  rate_limit: 120,
  rate_limit_duration: 60,
  secrets: [{ value: 'a secret', expires_at: '' }],
}
const answers: Record<string, unknown> = {
  [`${svix}?limit=100`]: {
    data: [
      { id: 'ep_1', url: 'https://a.test/hooks', disabled: false, filterTypes: ['package.created'], rateLimit: 5 },
    ],
    done: false,
    iterator: 'it',
  },
  [`${svix}?limit=100&iterator=it`]: {
    data: [{ id: 'ep_2', url: 'https://b.test/hooks', disabled: true, channels: ['north'] }],
    done: true,
  },
  [`${svix}/ep_1/secret`]: { key: secret },
  [`${svix}/ep_2/secret`]: { key: secret },
  [`${svix}/ep_1/headers`]: { headers: { 'X-Shop': 'north' }, sensitive: [] },
  [`${svix}/ep_2/headers`]: { headers: {}, sensitive: ['X-Key'] },
  [`${convoy}/endpoints?perPage=100&direction=next`]: page(
    [{ ...endpoint, uid: 'e1', url: 'https://c.test/' }],
    'next',
  ),
  [`${convoy}/endpoints?perPage=100&direction=next&next_page_cursor=next`]: page([
    {
      ...endpoint,
      uid: 'e2',
      url: 'https://d.test/',
      authentication: { type: 'api_key', api_key: { header_name: 'X-Key', header_value: 'k' } },
    },
  ]),
  [`${convoy}/subscriptions?perPage=100&direction=next`]: page([
    {
      name: 'one',
      endpoint_metadata: { uid: 'e1' },
      filter_config: { event_types: ['shipment.created'], filter: { a: 1 } },
    },
    { name: 'two', endpoint_metadata: { uid: 'e2' }, filter_config: { event_types: ['*'] } },
  ]),
}
const service = createServer(({ url = '', headers }, response) => {
  const answer = headers.authorization === 'Bearer theirs' ? answers[url] : undefined
  response
    .writeHead(answer === undefined ? 401 : 200, { connection: 'close' })
    .end(JSON.stringify(answer ?? { detail: url }))
})
await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
const folder = mkdtempSync(join(tmpdir(), 'waybill-endpoints-'))
const file = join(folder, 'hooks.json')
afterAll(() => {
  service.close()
  rmSync(folder, { recursive: true })
})
const { you, here } = await openPage()

const read = (kind: string, owner: string, token = 'theirs'): Promise<{ out: string; said: string[] }> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, TOKEN: token } }
    execFile(process.execPath, ['docs/read-endpoints.mjs', kind, url, owner], options, (_, out, said) =>
      resolve({ out, said: said.trim().split('\n') }),
    )
  })
/** Makes the hooks of a list here. @returns what is said of each. */
const move = async (list: string): Promise<string[]> => {
  writeFileSync(file, list)
  const said = await you.run(
    here(`URL=http://127.0.0.1:4000
api() { curl -sS -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' "$@"; }
TOKEN=$(api $URL/api/v1/auth/login/ -d '{"username": "admin@example.com", "password": "correct horse battery"}' | node -p 'JSON.parse(fs.readFileSync(0)).key')
TOKEN=$TOKEN node docs/move-hooks.mjs ${file} $URL/whisperer`),
  )
  return said.trim().split('\n')
}

test('endpoints of Svix become hooks with their secrets', async () => {
  const { out, said } = await read('svix', 'app_1')
  expect(JSON.parse(out)).toMatchObject([
    {
      event_type: ['package.created'],
      secret_key: secret,
      additional_headers: { 'X-Shop': 'north' },
      config: { format: 'standard', rate_limit: { per_second: 5 } },
    },
    { event_type: '*', additional_headers: { 'X-Key': '********' }, is_active: false },
  ])
  expect(said).toEqual(['https://b.test/hooks: hears all channels now, not north alone'])
  expect(await move(out)).toEqual([
    'package.created https://a.test/hooks: made',
    '* https://b.test/hooks: left out, it is switched off',
  ])
})

test('endpoints and subscriptions of Convoy become hooks with their secrets', async () => {
  const { out, said } = await read('convoy', 'prj_1')
  expect(JSON.parse(out)).toMatchObject([
    { event_type: ['shipment.created'], secret_key: 'a secret', config: { rate_limit: { per_second: 2 } } },
    { event_type: ['*'], target_url: 'https://d.test/', additional_headers: { 'X-Key': 'k' }, is_active: true },
  ])
  expect(said).toEqual(['https://c.test/: one: write its filter as config.filter'])
  expect(await move(out)).toEqual(['shipment.created https://c.test/: made', '* https://d.test/: made'])
})

test('a service that refuses is said in a sentence', async () => {
  const { out, said } = await read('svix', 'app_1', 'wrong')
  expect([out, said]).toEqual([
    '',
    [expect.stringMatching(/^\/api\/v1\/app\/app_1\/endpoint\?limit=100 was answered with 401/)],
  ])
})
