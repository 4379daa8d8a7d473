import { expect, test } from 'vitest'
import { hasSignature, isSignedBy, signaturesOf } from './signatures.ts'

// The example of docs/verifying-signatures.md.
const signed = {
  id: '01a15b87-3a4b-7000-9c1d-5e6f7a8b9c0d',
  timestamp: '1795253400',
  body: '{"type":"package.created","timestamp":"2026-11-21T09:30:00.000Z","data":{"id":7}}',
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const publicKey = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='
const byKeyPair = 'v1a,CLiLRehy3CkgD6QWBUy7Dd6QAyk1ZZ6O2ERUk6RSN0bsgSc3WyJB90CyyZXXjLuEWBhU2jLN6gnU53I6/GpoAw=='

test('a secret signs as the server does', async () => {
  expect(await signaturesOf(secret, signed)).toEqual({
    standard: 'v1,7CsOJJ2I0irJ56n0Oy+Bw1KfI37/YsPVm8PyEp+4nFM=',
    whisperer: 'sha256=816a31baca81d22cf0c3816ce4946c00754cc09de607cc12ed583c637f0b2101',
  })
})

test('one right signature of several is enough, and none of another attempt', async () => {
  const right = await signaturesOf(secret, signed)
  const later = await signaturesOf(secret, { ...signed, timestamp: '1795253430' })
  expect(hasSignature(`v1,AAAA ${right.standard}`, right)).toBe(true)
  expect(hasSignature(right.whisperer, right)).toBe(true)
  expect(hasSignature(later.standard, right)).toBe(false)
})

test('a public key verifies what its private key signed', async () => {
  expect(await isSignedBy(publicKey, byKeyPair, signed)).toBe(true)
  expect(await isSignedBy(publicKey, byKeyPair, { ...signed, body: `${signed.body} ` })).toBe(false)
})

test('a secret that is not base64 is refused', async () => {
  await expect(signaturesOf('whsec_%%%', signed)).rejects.toThrow('Invalid character')
})
