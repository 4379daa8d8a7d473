import { expect, test } from 'vitest'
import { smtpRefusal } from './smtp.ts'

test.each([
  ['the recipient does not exist', 'EENVELOPE', 550, true],
  ['the mailbox is busy', 'EENVELOPE', 450, false],
  ['the content is refused', 'EMESSAGE', 554, true],
  ['the disk is full', 'EMESSAGE', 452, false],
  ['an address cannot be offered at all', 'EENVELOPE', undefined, true],
  ['the sender has to sign in first', 'EENVELOPE', 530, false],
  ['the password is wrong', 'EAUTH', 535, false],
  ['the server takes no mail from here', 'EPROTOCOL', 554, false],
  ['nothing listens', 'ESOCKET', undefined, false],
])('%s: %s %s', (_what, code, responseCode, isPermanent) => {
  const error = Object.assign(new Error('refused'), { code, ...(responseCode === undefined ? {} : { responseCode }) })
  expect(smtpRefusal(error)).toEqual({ isPermanent, reason: 'refused' })
})
