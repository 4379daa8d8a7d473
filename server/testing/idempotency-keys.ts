import { makeVault } from '#platform/crypto/vault.ts'

/** What keeps idempotency keys in tests that build their own write. */
export const testIdempotency = {
  vault: makeVault('a test key of at least thirty-two characters'),
  hashKey: Buffer.alloc(32, 1),
}
