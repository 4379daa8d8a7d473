import { deriveKey, type Purpose } from '#platform/crypto/digests.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import type { ServerContext } from '../server-context.ts'

/** Everything that is made from SECRET_KEY, each part with what the keys before it can still open, verify or find. */
export const derivedKeys = ({
  secretKey,
  previousSecretKeys = [],
}: Pick<ServerContext, 'secretKey' | 'previousSecretKeys'>) => {
  const key = (purpose: Purpose): Buffer => deriveKey(secretKey, purpose)
  const earlierKeys = (purpose: Purpose): Buffer[] => previousSecretKeys.map((earlier) => deriveKey(earlier, purpose))
  return {
    vault: makeVault(secretKey, previousSecretKeys),
    hashKeys: { hashKey: key('idempotency'), earlierHashKeys: earlierKeys('idempotency') },
    tokenKeys: { tokenKey: key('access-tokens'), earlierTokenKeys: earlierKeys('access-tokens') },
    linkKeys: { linkKey: key('links'), earlierLinkKeys: earlierKeys('links') },
    csrfKeys: { csrfKey: key('csrf'), earlierCsrfKeys: earlierKeys('csrf') },
    urlKeys: { urlKey: key('hook-urls'), earlierUrlKeys: earlierKeys('hook-urls') },
  }
}
