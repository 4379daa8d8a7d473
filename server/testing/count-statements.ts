import pg from 'pg'
import { vi } from 'vitest'

/** How many statements the database gets while `work` runs, on either engine: both are spoken to through the client of `pg`. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls.length
  } finally {
    query.mockRestore()
  }
}
