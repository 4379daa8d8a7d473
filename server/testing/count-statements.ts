import pg from 'pg'
import { vi } from 'vitest'

/** What asks who is calling: it is remembered for a second, so whether it is asked says nothing of the work. */
const asksWhoCalls = (query: unknown): boolean => {
  const text = typeof query === 'string' ? query : (query as { text?: string } | undefined)?.text
  return text?.includes('"access_keys"."key_hash" = ') ?? false
}

/** How many statements the database gets while `work` runs, on either engine: both are spoken to through the client of `pg`. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls.filter(([text]) => !asksWhoCalls(text)).length
  } finally {
    query.mockRestore()
  }
}
