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
  return { isPermanent: aboutTheMessage.has(code) && isFinal, reason: response ?? message }
}
