import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Credential } from './authenticate.ts'
import { deleteKey, refuseToken } from './credential-store.ts'
import { deleteSession } from './session-store.ts'

/** Takes a credential back for good: a key, the whole session of an access token, or an outside token. */
export const revoke = (db: Db, credential: Credential): Promise<void> =>
  inTransaction(db, async (tx) => {
    switch (credential.kind) {
      case 'key':
        return deleteKey(tx, credential.id)
      case 'session':
        return deleteSession(tx, credential.id)
      case 'outside':
        return refuseToken(tx, credential.tokenHash, credential.expiresAt)
    }
  })
