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
  expect(smtpRefusal(error)).toMatchObject({ isPermanent, reason: 'refused' })
})

test.each([
  ['554 5.7.1 Blocked: URL https://shop.example/#token=hush is listed', '554 5.7.1'],
  ['554-5.7.1 Blocked:\n554 5.7.1 hush', '554-5.7.1'],
  ['451 hush', '451'],
  ['hush', 'EMESSAGE'],
])('without what quotes the content %j is %s', (response, safeReason) => {
  const error = Object.assign(new Error(`Message failed: ${response}`), { code: 'EMESSAGE', response })
  expect(smtpRefusal(error)).toMatchObject({ reason: response, safeReason })
})

test('what is said before the content was sent is safe', () => {
  const error = Object.assign(new Error('refused'), {
    code: 'EENVELOPE',
    responseCode: 550,
    response: '550 No such user',
  })
  expect(smtpRefusal(error)).toMatchObject({ safeReason: '550 No such user' })
})
