import type { Db } from '#platform/db/database.ts'

/** What tells this installation from every other one. Made with the database and never changed: read it once. */
export const readInstallationId = async (db: Db): Promise<string> => {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  return id
}
