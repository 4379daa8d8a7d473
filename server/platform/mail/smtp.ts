import type { SMTPTransportOptions } from 'nodemailer'

/** What is waited for at most, in milliseconds: a server that does not answer must not hold a job for long. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  /** Without a byte from the server. Some check a message before they accept it; to leave sooner would send it twice. */
  socketTimeout: 120_000,
}

/** Whether a text names an SMTP server: `smtp://` or `smtps://`, user and password if needed, host, port, and nothing else. */
export const isSmtpUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash } = new URL(text)
  const endsAtHost = (pathname === '' || pathname === '/') && search === '' && hash === ''
  return /^smtps?:$/.test(protocol) && hostname !== '' && endsAtHost && credentialsOf(text) !== undefined
}

/**
 * How to talk to the server of an `SMTP_URL`. Certificates are verified. A password is never sent in the clear: with
 * `smtp://` the server has to offer STARTTLS, unless it is on this machine, where local servers often have a certificate
 * that nobody signed and nobody else can listen.
 */
export const smtpOptions = (url: string): SMTPTransportOptions => {
  const { protocol, hostname, port } = new URL(url)
  const { user, pass } = credentialsOf(url) ?? { user: '', pass: '' }
  const secure = protocol === 'smtps:'
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? standardPort[protocol === 'smtps:' ? 'smtps' : 'smtp'] : Number(port),
    secure,
    ignoreTLS: !secure && isLocal,
    requireTLS: !secure && !isLocal && user !== '',
    ...(user === '' ? {} : { auth: { user, pass } }),
    ...timeouts,
    // A message is text. Nothing in one may name a file or an address that this server would read.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** RFC 6409 and RFC 8314. */
const standardPort = { smtp: 587, smtps: 465 }

const credentialsOf = (url: string): { user: string; pass: string } | undefined => {
  const { username, password } = new URL(url)
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch {
    return undefined
  }
}

/** What of an SMTP error is safe and useful to say: never the connection's settings. */
interface SmtpError {
  readonly code?: string
  readonly response?: string
  readonly responseCode?: number
}

/** How sending failed: `isPermanent` when the same message would be refused again. */
export interface SmtpRefusal {
  readonly isPermanent: boolean
  readonly reason: string
  /** The reason without what the server says of the content, which it may quote: filters name the link that they refuse. */
  readonly safeReason: string
}

/** Errors about this message (its addresses, its content); all others are about the server, the network or our settings. */
const aboutTheMessage = new Set(['EENVELOPE', 'EMESSAGE'])
/** "Authentication required", which servers also answer to `MAIL FROM`: mended by a setting, not by another message. */
const authenticationRequired = 530

/**
 * Reads an error of the SMTP client. Permanent is what the server refused with a 5yz reply to the message itself (RFC
 * 5321, 4.2.1), and what was never offered because it cannot be: a wrong password refuses every message, and is put right.
 */
export const smtpRefusal = (error: unknown): SmtpRefusal => {
  const { code = '', response, responseCode } = (error ?? {}) as SmtpError
  const isFinal = responseCode === undefined || (responseCode >= 500 && responseCode !== authenticationRequired)
  const message = error instanceof Error ? error.message : String(error)
  const reason = response ?? message
  return {
    isPermanent: aboutTheMessage.has(code) && isFinal,
    reason,
    // Until the content is sent nobody can quote it. After that only codes are safe (RFC 5321, 4.2; RFC 3463).
    safeReason: code === 'EMESSAGE' ? (/^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(reason)?.[0] ?? code) : reason,
  }
}
