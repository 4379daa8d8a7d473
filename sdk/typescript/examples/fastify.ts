// A receiver with Fastify: WAYBILL_SECRET=whsec_… PORT=4100 node examples/fastify.ts
import { verifyWebhook, WebhookVerificationError } from '@waybill/sdk'
import { fastify } from 'fastify'

const { WAYBILL_SECRET: secret = '', PORT = '4100' } = process.env
/** What was done already. Keep it where you keep what you do: a delivery can come more than once. */
const done = new Set<string>()

const server = fastify()

// The signature covers the bytes as they came, so no JSON parser comes before it.
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))

server.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof WebhookVerificationError)) throw error
  console.log(`refused: ${error.message}`)
  return reply.code(401).send(error.message)
})

server.post('/webhooks', async (request, reply) => {
  const event = verifyWebhook(request.headers, request.body as Buffer, secret)
  if (!done.has(event.id) && event.type === 'package.created') console.log(`package ${event.data.number} is created`)
  done.add(event.id)
  return reply.code(204).send()
})

console.log(`listening on ${await server.listen({ port: Number(PORT), host: '127.0.0.1' })}/webhooks`)
