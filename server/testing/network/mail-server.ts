import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll } from 'vitest'

export interface ReceivedMail extends Email {
  /** Who it was handed over for, whatever its headers say. */
  readonly recipients: readonly string[]
  readonly source: string
}

export interface MailServer {
  readonly port: number
  readonly received: ReceivedMail[]
  /** Replies that the next messages get, one each, instead of being accepted: `[450, 'Come back later']`. */
  readonly refusals: (readonly [code: number, text: string])[]
  /** Conversations so far, whatever came of them. */
  readonly conversations: () => number
  readonly close: () => Promise<void>
}

/** An SMTP server on this machine that keeps what it gets, or refuses it as told. Closes itself after the file's last test. */
export const makeMailServer = async (
  options: SMTPServerOptions & { readonly port?: number } = {},
): Promise<MailServer> => {
  const { port = 0, ...rest } = options
  const received: ReceivedMail[] = []
  const refusals: (readonly [number, string])[] = []
  let conversations = 0
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onConnect: (_session, done) => {
      conversations += 1
      done()
    },
    onData: (stream, session, done) => {
      const keep = async (): Promise<void> => {
        const source = await buffer(stream)
        const [code, text] = refusals.shift() ?? []
        if (code !== undefined) return done(Object.assign(new Error(text), { responseCode: code }))
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ ...(await PostalMime.parse(source)), recipients, source: source.toString() })
        done()
      }
      void keep()
    },
    ...rest,
  })
  // A client that refuses the certificate is what some tests are about.
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
    })
  afterAll(close)
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refusals,
    conversations: () => conversations,
    close,
  }
}
