interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface ShareRunsOptions<Item, Result> {
  /** Does the work of some items, no two of which have the same key, at once. @returns a result for each, in their order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Items with the same key never share a run: the later one waits for the next. Absent: any items share one. */
  readonly keyOf?: (item: Item) => string
  readonly maxAtOnce: number
  /** Sizes of the items of a run add up to at most `max`, unless it has one item. Absent: any do. */
  readonly size?: { readonly of: (item: Item) => number; readonly max: number }
  /** Whether a run failed because of one of its items, so that the others succeed without it. */
  readonly isFaultOfOne: (error: unknown) => boolean
}

/**
 * Makes calls that come while a run is under way share the next one; a call that comes alone waits for nobody. Each call gets
 * its own result. When one item spoils a run, every item of it is run alone.
 * @returns a function from an item to its result. It throws what `run` threw.
 */
export const shareRuns = <Item, Result>(options: ShareRunsOptions<Item, Result>): ((item: Item) => Promise<Result>) => {
  const { run, keyOf, maxAtOnce, size, isFaultOfOne } = options
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  const takeBatch = (): Waiting<Item, Result>[] => {
    const batch = new Map<unknown, Waiting<Item, Result>>()
    const left: Waiting<Item, Result>[] = []
    let total = 0
    for (const call of waiting) {
      const key = keyOf?.(call.item) ?? call
      const withIt = total + (size?.of(call.item) ?? 0)
      const fits = batch.size === 0 || (batch.size < maxAtOnce && withIt <= (size?.max ?? Infinity))
      if (fits && !batch.has(key)) {
        batch.set(key, call)
        total = withIt
      } else left.push(call)
    }
    waiting = left
    return [...batch.values()]
  }
  /** @returns what answers the calls of a batch. */
  const runBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      return () => batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch (error) {
      if (batch.length === 1 || !isFaultOfOne(error)) return () => batch.forEach(({ reject }) => reject(error))
      for (const call of batch) (await runBatch([call]))()
      return () => undefined
    }
  }
  const runAll = async (): Promise<void> => {
    // Requests that can be read now are read before this goes on.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const answer = await runBatch(takeBatch())
      // Answering takes time in which the database can begin with the next batch.
      if (waiting.length > 0) setImmediate(answer)
      else answer()
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      void runAll()
    })
}
