import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { SealedColumn } from './reseal.ts'
import type { Vault } from './vault.ts'

/** The text that shows at start whether SECRET_KEY is right. */
export const sealedCheck: SealedColumn = { table: 'installation', column: 'key_check' }

/**
 * Remembers which SECRET_KEY the database was first started with, or was last changed to.
 * @param vault of the present key and those before it: any of them may have sealed the check.
 * @throws Error when it is another one now: nothing that is stored encrypted could be read, and so nothing delivered.
 */
export const checkSecretKey = async (db: Db, vault: Vault): Promise<void> => {
  const mine = vault.seal('the same key')
  await sql`update installation set key_check = ${mine} where key_check is null`.execute(db)
  const { rows } = await sql<{ keyCheck: string }>`select key_check from installation`.execute(db)
  try {
    for (const { keyCheck } of rows) vault.open(keyCheck)
  } catch (error) {
    throw new Error(
      'SECRET_KEY is not the one this database was encrypted with. Start with that one, or name it in SECRET_KEY_PREVIOUS while the key is being changed.',
      { cause: error },
    )
  }
}
