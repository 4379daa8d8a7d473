// A receiver with Express: WAYBILL_SECRET=whsec_… PORT=4100 node examples/express.ts
import type { AddressInfo } from 'node:net'
import { verifyWebhook, WebhookVerificationError } from '@waybill/sdk'
import express, { type ErrorRequestHandler } from 'express'

const { WAYBILL_SECRET: secret = '', PORT = '4100' } = process.env
/** What was done already. Keep it where you keep what you do: a delivery can come more than once. */
const done = new Set<string>()

const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof WebhookVerificationError)) return next(error)
  console.log(`refused: ${error.message}`)
  response.status(401).send(error.message)
}

const server = express()
  // The signature covers the bytes as they came, so no JSON parser comes before it.
  .post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
    const event = verifyWebhook(request.headers, request.body as Buffer, secret)
    if (!done.has(event.id) && event.type === 'package.created') console.log(`package ${event.data.number} is created`)
    done.add(event.id)
    response.sendStatus(204)
  })
  .use(refuse)
  .listen(Number(PORT), '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`)
  })
