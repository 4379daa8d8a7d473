import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openPage } from './open-page.ts'
import type { SignatureCase } from './signature-cases.ts'
import { expectedOf, judge, programsForSecrets } from './signature-programs.ts'

// A delivery as a server sends it, and what somebody could make of it on the way, judged by the code of the page.

interface Arrived {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const { you, here } = await openPage()

const read = async (request: IncomingMessage): Promise<Arrived> => ({
  headers: request.headers,
  body: (await buffer(request)).toString(),
})

/** Has the server deliver one event to a receiver of this test. */
const delivery = async (): Promise<Arrived> => {
  const arrived = Promise.withResolvers<Arrived>()
  const receiver = createServer((request, response) => {
    arrived.resolve(read(request))
    request.on('end', () => response.writeHead(204, { connection: 'close' }).end())
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  afterAll(() => receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await you.run(
    here(`URL=http://127.0.0.1:4000
api() { curl -sS -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' "$@"; }
TOKEN=$(api $URL/api/v1/auth/login/ -d '{"username": "admin@example.com", "password": "correct horse battery"}' | node -p 'JSON.parse(fs.readFileSync(0)).key')
api $URL/whisperer/hooks/ -d '{"event_type": "stock_location.created", "target_url": "${url}", "secret_key": "${secret}"}'
api $URL/api/v1/stock_locations/ -d '{"code": "IST-1", "name": "Kırmızı depo"}'`),
  )
  return arrived.promise
}

test('the code of the page believes a delivery of a server, and none that was changed', async () => {
  const { headers, body } = await delivery()
  const genuine = {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  }
  const changed = (name: string, changes: Partial<SignatureCase>): SignatureCase => ({
    name,
    expected: false,
    secret,
    headers: genuine,
    body,
    ...changes,
  })
  const later = String(Number(genuine['webhook-timestamp']) + 1)
  const cases: SignatureCase[] = [
    changed('as it came', { expected: true }),
    changed('another body', { body: body.replace('IST-1', 'IST-2') }),
    changed('written anew', { body: JSON.stringify(JSON.parse(body), undefined, 1) }),
    changed('another id', { headers: { ...genuine, 'webhook-id': '01a15b87-3a4b-7000-9c1d-5e6f7a8b9c0d' } }),
    changed('dated anew', { headers: { ...genuine, 'webhook-timestamp': later } }),
    changed('without a signature', { headers: { ...genuine, 'webhook-signature': '' } }),
    changed('for another secret', { secret: `whsec_${Buffer.alloc(24).toString('base64')}` }),
  ]
  const programs = programsForSecrets.filter((program) => program.isHere())
  expect(programs.length).toBeGreaterThan(0)
  for (const program of programs) expect(judge(program, cases), `in ${program.language}`).toEqual(expectedOf(cases))
})
