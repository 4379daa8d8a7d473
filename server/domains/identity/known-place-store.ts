import type { Db } from '#platform/db/database.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    knownPlaces: { place: string; lastAt: Date }
  }
}

export const isKnownPlace = async (db: Db, place: string, since: Date): Promise<boolean> => {
  const query = db.selectFrom('knownPlaces').select('place').where('place', '=', place).where('lastAt', '>', since)
  return (await query.executeTakeFirst()) !== undefined
}

export const noteKnown = async (db: Db, places: readonly string[], lastAt: Date): Promise<void> => {
  await db
    .insertInto('knownPlaces')
    // In one order, so that two at once cannot wait for each other.
    .values(places.toSorted().map((place) => ({ place, lastAt })))
    .onConflict((oc) => oc.column('place').doUpdateSet({ lastAt }))
    .execute()
}

export const forgetPlaces = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('knownPlaces').where('lastAt', '<=', before).execute()
}
