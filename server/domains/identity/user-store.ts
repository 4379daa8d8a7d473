import { sql, type Generated, type Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, truth, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { foldName, isBackOffice, loginNamesOf, type User } from './user.ts'

interface UsersTable extends Omit<User, 'id' | 'credentialsVersion'> {
  id: Generated<number>
  credentialsVersion: Generated<number>
}
declare module '#platform/db/database.ts' {
  interface Tables {
    users: UsersTable
    loginNames: { name: string; userId: number }
  }
}

export const userColumns = [
  'users.id',
  'users.email',
  'users.username',
  'users.firstName',
  'users.lastName',
  'users.isStaff',
  'users.isSuperuser',
  'users.isActive',
  'users.division',
  'users.locale',
  'users.timeZone',
  'users.passwordHash',
  'users.credentialsVersion',
  'users.createdAt',
  'users.modifiedAt',
] as const satisfies readonly `users.${keyof Selectable<UsersTable>}`[]

/** The person who logs in with this name. @param name folded. */
export const findByLoginName = (db: Db | Tx, name: string): Promise<User | undefined> =>
  db
    .selectFrom('users')
    .innerJoin('loginNames', 'loginNames.userId', 'users.id')
    .select(userColumns)
    .where('loginNames.name', '=', name)
    .executeTakeFirst()

/** The person with this e-mail. A user name that looks the same does not count. @param email folded. */
export const findByEmail = async (db: Db | Tx, email: string): Promise<User | undefined> => {
  const user = await findByLoginName(db, email)
  return user !== undefined && foldName(user.email) === email ? user : undefined
}

export const findUser = (db: Db | Tx, id: number): Promise<User | undefined> =>
  db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()

/** These people, by id; those who do not exist are left out. */
export const findUsers = async (db: Db | Tx, ids: readonly number[]): Promise<User[]> =>
  ids.length === 0 ? [] : db.selectFrom('users').select(userColumns).where('id', 'in', ids).orderBy('id').execute()

export const findSuperusers = (db: Db | Tx, max: number): Promise<User[]> =>
  active(db).where('isSuperuser', '=', true).limit(max).execute()

export const findUsersOfDivision = (db: Db | Tx, division: number, max: number): Promise<User[]> =>
  active(db).where('division', '=', division).limit(max).execute()

const active = (db: Db | Tx) => db.selectFrom('users').select(userColumns).where('isActive', '=', true).orderBy('id')

/** The person, held until the transaction ends. */
export const lockUser = (tx: Tx, id: number): Promise<User | undefined> =>
  tx.selectFrom('users').select(userColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/**
 * Holds off every change of the person until the transaction ends, if they are still active and nothing
 * revoked their credentials since `version` was read. A new credential may only be stored after this.
 */
export const holdCredentials = async (tx: Tx, id: number, version: number): Promise<boolean> => {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('credentialsVersion', '=', version)
    .where('isActive', '=', true)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the person is active staff. Nobody changes that until the transaction ends. */
export const holdBackOffice = async (tx: Tx, id: number): Promise<boolean> => {
  const user = await tx.selectFrom('users').select(userColumns).where('id', '=', id).forShare().executeTakeFirst()
  return user !== undefined && isBackOffice(user)
}

/** Ids of the active superusers, held until the transaction ends, always in the same order. */
export const lockSuperusers = async (tx: Tx): Promise<number[]> => {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('isSuperuser', '=', true)
    .where('isActive', '=', true)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export const anyUser = async (db: Db | Tx): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

export const areSeveralUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(2).execute()).length > 1

/** Makes the processes that start at once look for the first user one after the other. */
export const lockFirstStart = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('waybill:first-superuser', 0))`.execute(tx)
}

type NewUser = Omit<User, 'id' | 'credentialsVersion'>

export const insertUser = (tx: Tx, user: NewUser): Promise<User> =>
  tx.insertInto('users').values(user).returning(userColumns).executeTakeFirstOrThrow()

export const updateUser = (tx: Tx, id: number, changes: Partial<NewUser>): Promise<User> =>
  tx.updateTable('users').set(changes).where('id', '=', id).returning(userColumns).executeTakeFirstOrThrow()

/**
 * Makes these the login names of the person.
 * @returns the names that someone else has; then nothing may be kept of the transaction.
 */
export const replaceLoginNames = async (tx: Tx, user: Pick<User, 'id' | 'email' | 'username'>): Promise<string[]> => {
  const names = loginNamesOf(user)
  await tx.deleteFrom('loginNames').where('userId', '=', user.id).execute()
  const stored = await tx
    .insertInto('loginNames')
    .values(names.map((name) => ({ name, userId: user.id })))
    .onConflict((oc) => oc.doNothing())
    .returning('name')
    .execute()
  return names.filter((name) => !stored.some((row) => row.name === name))
}

export const userList = defineList({
  orderings: { id: 'id', email: 'email', last_name: 'lastName', created_at: 'createdAt' },
  defaultOrdering: 'id',
  kept: { table: 'users', by: { is_staff: 'is_staff', is_active: 'is_active' } },
  filters: {
    email: contains('email', 'the e-mail'),
    is_staff: truth('isStaff'),
    is_active: truth('isActive'),
    created_at: time('createdAt', 'Made'),
    modified_at: time('modifiedAt', 'Changed'),
  },
})

export const listUsers = (db: Db, query: Page): Promise<Rows<User>> =>
  readList(db, userList, query, db.selectFrom('users').select(userColumns))
