import type { Db, Tx } from '#platform/db/database.ts'

/** The newest terms of a quotation of which its owner said that they saw them. */
export interface Seen {
  readonly quotationId: number
  readonly seenRevision: number
  readonly seenAt: Date
}

declare module '#platform/db/database.ts' {
  interface Tables {
    quotationSeen: Seen
  }
}

/** Remembers that these terms were seen, unless newer ones were, or these before. */
export const noteSeen = async (db: Db | Tx, seen: Seen): Promise<void> => {
  const { seenRevision, seenAt } = seen
  await db
    .insertInto('quotationSeen')
    .values(seen)
    .onConflict((conflict) =>
      conflict
        .column('quotationId')
        .doUpdateSet({ seenRevision, seenAt })
        .where('quotationSeen.seenRevision', '<', seenRevision),
    )
    .execute()
}
