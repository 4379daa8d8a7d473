// A webhook receiver to try things with. It checks each delivery, prints one line, and answers 200,
// or the status that it was told to answer. Node.js 20 or newer, no packages.
//
//   node docs/receiver.mjs <secret> [port]
//   curl -X PUT 127.0.0.1:4100 -d 500
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const [secret, port = '4100'] = process.argv.slice(2)
const toleranceSeconds = 300
let answer = 200
const seen = new Map()

if (!secret) {
  say('usage: node docs/receiver.mjs <secret> [port]')
  process.exit(2)
}
const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)

createServer(async (request, response) => {
  // The signature covers these bytes; JSON that was parsed and written again may differ from them.
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)

  if (request.method === 'PUT') return response.writeHead(setAnswer(body.toString())).end()
  const problem = problemWith(request.headers, body)
  if (problem === undefined) report(request.headers, body)
  else say(`refused: ${problem}`)
  // To be compared with what the sender says it should be.
  const signature = request.headers['webhook-signature']
  if (signature) say(`  webhook-signature: ${String(signature)}`)
  response.writeHead(problem === undefined ? answer : 401).end(problem)
})
  .on('error', (error) => {
    say(error.code === 'EADDRINUSE' ? `port ${port} is in use: name another one` : error.message)
    process.exit(1)
  })
  .listen(Number(port), '127.0.0.1', () => say(`listening on http://127.0.0.1:${port}/`))

/** Why a delivery cannot be trusted (Standard Webhooks 1.0); undefined when it can. */
function problemWith(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !headers[name])
  if (missing.length === 1 && !signatures) return 'webhook-signature is missing: the hook has no secret_key'
  if (missing.length > 0) return `${missing.join(', ')} missing`
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= toleranceSeconds)) return 'the timestamp is too far from now'
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isSigned ? undefined : 'the signature does not match'
}

/** Shows what arrived, and whether the same delivery was here before: receivers drop repeats by the webhook-id. */
function report({ 'webhook-id': id, 'content-type': contentType }, body) {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const repeat = seen.get(id) === hash ? 'same bytes as before' : 'OTHER BYTES THAN BEFORE'
  say(
    `verified ${typeOf(body) ?? contentType} webhook-id=${id} body=${hash} (${seen.has(id) ? repeat : 'new'}) -> ${answer}`,
  )
  seen.set(id, hash)
}

/** The type of an event; undefined for anything else, such as data of a flow. */
function typeOf(body) {
  try {
    const { type, event } = JSON.parse(body.toString())
    return type ?? event?.type
  } catch {
    return undefined
  }
}

function setAnswer(text) {
  if (!/^[2-5]\d\d$/.test(text)) return 400
  answer = Number(text)
  say(`from now on the answer is ${answer}`)
  return 204
}

function say(text) {
  process.stdout.write(`${new Date().toISOString().slice(11, 23)} ${text}\n`)
}
