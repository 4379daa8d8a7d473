// A commerce platform to try things with. It checks each order that it gets, prints a line, and answers with a number: the
// same one when the same order comes again. Node.js 20 or newer, no packages.
//
//   node docs/platform.mjs <secret> [port]
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const [secret, port = '4200'] = process.argv.slice(2)
if (!secret) {
  console.error('usage: node docs/platform.mjs <secret> [port]')
  process.exit(2)
}
const signingKey = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret

/** Numbers of orders by their keys. A real platform keeps the key with the order, in the same transaction. */
const numbers = new Map()

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isAuthentic(request.headers, body)) return response.writeHead(401).end('The signature does not match.')

  const key = request.headers['idempotency-key']
  const isKnown = numbers.has(key)
  if (!isKnown) numbers.set(key, `S-${1001 + numbers.size}`)
  const { number: theirs, quantity, amount, currency } = JSON.parse(body.toString())
  const number = numbers.get(key)
  console.log(`${theirs}: ${quantity} units for ${amount} ${currency} is ${number}${isKnown ? ', as before' : ''}`)
  response.writeHead(isKnown ? 200 : 201, { 'content-type': 'application/json' }).end(JSON.stringify({ number }))
}).listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/`))

/** Whether an order comes from whoever has the secret, and is no recording of one (Standard Webhooks 1.0). */
function isAuthentic(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const expected = createHmac('sha256', signingKey).update(`${id}.${timestamp}.`).update(body).digest()
  const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
