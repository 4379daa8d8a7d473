import { DatabaseUnavailable } from '#platform/db/database-unavailable.ts'

/** More at once would make the first of them wait. */
const largestBatch = 250

interface Waiting<Item, Outcome> {
  readonly item: Item
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * Collects what is to be written while earlier ones are being written, and writes it at once: the busier, the more in
 * one transaction. One batch at a time, as they would wait for each other in the database.
 * @param writeAll all or none; each outcome is told after it has returned. When it throws, each is written alone, so
 *   that only the one that cannot be written fails.
 */
export const makeBatchWriter = <Item, Outcome>(
  writeAll: (items: readonly Item[]) => Promise<readonly Outcome[]>,
): ((item: Item) => Promise<Outcome>) => {
  let waiting: Waiting<Item, Outcome>[] = []
  let isWriting = false

  /** @returns what tells those who wait for a batch what became of it. */
  const written = async (batch: readonly Waiting<Item, Outcome>[]): Promise<() => void> => {
    try {
      const outcomes = await writeAll(batch.map(({ item }) => item))
      return () => batch.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome))
    } catch (error) {
      // A database that is not there fails each of them, and whether the batch was written is not known.
      if (batch.length === 1 || error instanceof DatabaseUnavailable)
        return () => batch.forEach(({ reject }) => reject(error))
      for (const one of batch) (await written([one]))()
      return () => undefined
    }
  }
  const run = async (): Promise<void> => {
    // Lets those in that have come together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largestBatch)
      waiting = waiting.slice(largestBatch)
      const tell = await written(batch)
      // Answering takes time in which the database can begin with the next batch.
      if (waiting.length > 0) setImmediate(tell)
      else tell()
    }
    isWriting = false
  }

  return (item) =>
    new Promise<Outcome>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isWriting) return
      isWriting = true
      void run()
    })
}
