import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { SharedLock } from '../db/open-postgres.ts'
import type { Vault } from './vault.ts'

/** Any number will do; it only has to be the same in every process. */
const kind = 1_265_989_971

/** What a server says of the keys that it can open with, each as a lock that others see. */
export const heldKeys = ({ mark, earlierMarks }: Pick<Vault, 'mark' | 'earlierMarks'>): SharedLock[] =>
  [mark, ...earlierMarks].map((one) => ({ kind, value: numberOf(one) }))

export interface RunningServers {
  readonly running: number
  /** Those that cannot open what is sealed with the present key of the vault. */
  readonly withoutKey: number
}

/** The servers that are on this database now, by what they say of their keys; none on the embedded database. */
export const countServers = async (db: Db, { mark }: Vault): Promise<RunningServers> => {
  const { rows } = await sql<RunningServers>`
    select count(*) as running, count(*) filter (where not has_key) as "withoutKey"
    from (
      select bool_or(objid::bigint = ${numberOf(mark)}) as has_key from pg_locks
      where locktype = 'advisory' and mode = 'ShareLock' and granted and classid::bigint = ${kind}
        and database = (select oid from pg_database where datname = current_database())
      group by pid
    ) servers`.execute(db)
  return rows[0] ?? { running: 0, withoutKey: 0 }
}

/** 31 bits of a hash: the lock's number is signed where it is taken, and unsigned where it is seen. */
const numberOf = (mark: string): number => createHash('sha256').update(mark).digest().readUInt32BE() >>> 1
