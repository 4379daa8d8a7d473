import { sealedSubscriptions, urlsOf } from '#delivery/secrets/sealed.ts'
import { sealedProjects } from '#domains/app-center/projects/index.ts'
import { renewUrlHashes } from '#domains/order-management/hooks/index.ts'
import { sealedCheck } from '#platform/crypto/check-secret-key.ts'
import { deriveKey } from '#platform/crypto/digests.ts'
import { resealColumn, type Resealed } from '#platform/crypto/reseal.ts'
import type { SecretKeys } from '#platform/crypto/secret-key.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/db/database.ts'
import { sealedAnswers } from '#platform/http/idempotency-keys.ts'
import { sealedMails } from '#platform/mail/mail-store.ts'

/** What a rotation came to. */
export interface KeyRotation {
  readonly subscriptions: Resealed
  readonly projects: Resealed
  readonly answers: Resealed
  readonly mails: Resealed
  readonly urlHashes: { readonly renewed: number; readonly seconds: readonly number[] }
  /** Whether nothing needs an earlier key any more. */
  readonly isComplete: boolean
}

/**
 * Does everything again, with the present SECRET_KEY, that an earlier one did and that lasts: what is encrypted, and the
 * hashes of URLs. Killed at any point, it goes on where it stopped when it is run again.
 *
 * The check that a start makes of its key comes last. Until then a server with the new key alone refuses to start
 * instead of starting with subscriptions that it cannot read.
 */
export const rotateKey = async (db: Db, { current, previous }: SecretKeys): Promise<KeyRotation> => {
  const vault = makeVault(current, previous)
  const subscriptions = await resealColumn(db, vault, sealedSubscriptions)
  const urlHashes = await renewUrlHashes({
    db,
    urlKey: deriveKey(current, 'hook-urls'),
    urlsOf: (ids) => urlsOf(db, vault, ids),
  })
  const projects = await resealColumn(db, vault, sealedProjects)
  const answers = await resealColumn(db, vault, sealedAnswers)
  const mails = await resealColumn(db, vault, sealedMails)
  const isComplete = subscriptions.left + projects.left + answers.left + mails.left === 0
  if (isComplete) await resealColumn(db, vault, sealedCheck)
  return { subscriptions, projects, answers, mails, urlHashes, isComplete }
}
