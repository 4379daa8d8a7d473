import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Signs what the hooks of the demo send. No secret: it stands here for everybody to read. */
export const demoSecret = `whsec_${Buffer.from('lodos is the wind of the south').toString('base64')}`

const key = Buffer.from(demoSecret.slice('whsec_'.length), 'base64')

/** What checking a signature came to, in words for the page. */
export type Verdict = 'verified' | 'unsigned' | 'signed with another secret'

/** Checks the signature of Standard Webhooks, as each receiver should. */
export const verify = (headers: IncomingHttpHeaders, body: Buffer): Verdict => {
  const signatures = headers['webhook-signature']
  if (typeof signatures !== 'string') return 'unsigned'
  const head = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
  const expected = createHmac('sha256', key).update(head).update(body).digest()
  const fits = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return fits ? 'verified' : 'signed with another secret'
}
