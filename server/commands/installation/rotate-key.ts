import { splitList, type Config } from '#platform/config.ts'
import { checkSecretKey } from '#platform/crypto/check-secret-key.ts'
import { countServers } from '#platform/crypto/held-keys.ts'
import type { Resealed } from '#platform/crypto/reseal.ts'
import { beginKeyChange, endKeyChange, hasGeneratedKey, type SecretKeys } from '#platform/crypto/secret-key.ts'
import { makeVault, type Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/db/database.ts'
import { rotateKey, type KeyRotation } from '../../compose/key-rotation.ts'
import type { ServerContext } from '../../server-context.ts'
import { openServerContext } from '../../open-server-context.ts'
import { loadConfig, startEmbedded } from '../../start-early.ts'
import { say } from '../output.ts'

/**
 * waybill rotate-key: brings everything that is stored to the present SECRET_KEY.
 *
 * Where the key is set (PostgreSQL always), the operator has put a new one into SECRET_KEY and the old one into
 * SECRET_KEY_PREVIOUS, and servers may be running with both. Where it was generated, a new one is made here, with the
 * server stopped: the lock of the data directory sees to that.
 */
export const rotateSecretKey = async (): Promise<void> => {
  const config = loadConfig()
  const isGenerated = config.DATABASE_URL === undefined && config.SECRET_KEY === undefined
  if (isGenerated) await refuseWithoutKey(config.DATA_DIR)

  const context = await openServerContext('all', config, await startEmbedded('all', config))
  const { db, close } = context.database
  try {
    // Before anything is written: with the wrong keys nothing could be read, and a new one would only add to that.
    const vault = makeVault(context.secretKey, context.previousSecretKeys)
    await checkSecretKey(db, vault)
    if (!isGenerated) refuseWithoutReason(config)
    await refuseBesideOthers(db, vault)
    const keys = isGenerated ? await nextKeys(context) : presentKeys(context)
    const rotation = await rotateKey(db, keys)
    if (rotation.isComplete && isGenerated) await endKeyChange(config.DATA_DIR)
    report(
      rotation,
      isGenerated ? `The key is in ${config.DATA_DIR}/secret.key.` : 'SECRET_KEY_PREVIOUS can be removed.',
    )
  } finally {
    await close()
  }
}

/** @throws Error that says what to do instead. */
const refuseWithoutKey = async (directory: string): Promise<void> => {
  if (await hasGeneratedKey(directory)) return
  throw new Error(`There is no generated key in ${directory}. Is DATA_DIR the right one?`)
}

/** @throws Error that says what to do instead. */
const refuseWithoutReason = ({ SECRET_KEY_PREVIOUS }: Config): void => {
  if (SECRET_KEY_PREVIOUS !== '') return
  throw new Error(
    'There is nothing to do. Put the present SECRET_KEY into SECRET_KEY_PREVIOUS and a new one into SECRET_KEY, restart every process, and run this again.',
  )
}

/** @throws Error when a server is running that could not open what would be encrypted now. */
const refuseBesideOthers = async (db: Db, vault: Vault): Promise<void> => {
  const { running, withoutKey } = await countServers(db, vault)
  if (withoutKey === 0) return
  throw new Error(
    `Nothing was changed: ${withoutKey} of the ${running} servers that are running on this database do not have this SECRET_KEY. Restart every process with both SECRET_KEY and SECRET_KEY_PREVIOUS, and run this again.`,
  )
}

const presentKeys = ({ secretKey, previousSecretKeys = [] }: ServerContext): SecretKeys => ({
  current: secretKey,
  previous: previousSecretKeys,
})

/** A new key, or that of a change which was begun and not finished. */
const nextKeys = async ({ config }: ServerContext): Promise<SecretKeys> => {
  const { current, previous, isNew } = await beginKeyChange(config.DATA_DIR)
  say(isNew ? 'A new key was made.' : 'A change of the key was begun before; this finishes it.')
  return { current, previous: [...previous, ...splitList(config.SECRET_KEY_PREVIOUS)] }
}

/** @param end what to say when nothing needs an earlier key any more. */
const report = (rotation: KeyRotation, end: string): void => {
  const { subscriptions, projects, answers, mails, urlHashes, isComplete } = rotation
  say(`Subscriptions: ${countsOf(subscriptions)}.`)
  say(`Projects: ${countsOf(projects)}.`)
  say(`URLs of hooks: ${urlHashes.renewed} hashed again.`)
  say(`Answers kept for repeated requests: ${countsOf(answers)}.`)
  say(`Messages with links that set passwords: ${countsOf(mails)}.`)
  for (const id of urlHashes.seconds)
    say(`Hook ${id} is a second one of its owner for the same event and URL; remove one.`)
  if (isComplete) say(`Nothing needs an earlier key any more. ${end}`)
  complain(subscriptions.left + projects.left + answers.left + mails.left, stillNeedIt)
  complain(subscriptions.unknown + projects.unknown + answers.unknown + mails.unknown, cannotBeRead)
}

const stillNeedIt =
  'still need an earlier key: they are damaged, or a process that does not have the new key still writes. Keep the earlier one, restart every process, and run this again.'
const cannotBeRead =
  'cannot be read: they are encrypted with a key that is named nowhere. Name it in SECRET_KEY_PREVIOUS and run this again.'

const countsOf = ({ done, left, unknown }: Resealed): string =>
  [
    `${done} encrypted again`,
    ...(left > 0 ? [`${left} left`] : []),
    ...(unknown > 0 ? [`${unknown} unreadable`] : []),
  ].join(', ')

const complain = (count: number, what: string): void => {
  if (count === 0) return
  process.stderr.write(`${count} ${what}\n`)
  process.exitCode = 1
}
