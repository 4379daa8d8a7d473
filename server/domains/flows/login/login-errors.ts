import type { AppError } from '#platform/errors.ts'
import type { ErrorShape } from '#platform/http/errors/error-shapes.ts'

/** The sentences of document 1, "Errors", to the letter. */
export const wrongCredentials = 'The supplied username and password are not valid.'
export const missingCredentials = 'The username and password must be specified.'

/** Bytes of a login form. Both parameters at their longest, percent-encoded, take about 15 KiB. */
export const maxBytes = 65_536

/**
 * Errors of the login as plain text (contract, section 1). The document knows two answers with 400: whatever is wrong
 * with a form, wrong credentials aside, means that what is needed is not in it.
 */
export const loginErrors = (path: string): ErrorShape => ({
  prefix: path,
  isExact: true,
  render: (error) => ({ contentType: 'text/plain; charset=utf-8', body: sentenceOf(error) }),
})

const sentences: Readonly<Record<number, string>> = {
  400: missingCredentials,
  413: `The body is larger than ${maxBytes / 1024} KiB.`,
  415: 'Send username and password as application/x-www-form-urlencoded.',
}
const sentenceOf = ({ status, message }: AppError): string => sentences[status] ?? message
