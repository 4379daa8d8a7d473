/** More at once would make the first of them wait for a long answer. */
const maxAtOnce = 500
/** An answer that takes longer than this, as over a connection that broke, is no longer waited for by others. */
const patienceMs = 100

interface Waiting<Found> {
  readonly resolve: (found: Found | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes a look-up of which many calls are one question to the database: those of requests that came in together, and
 * those that came while an earlier question was being answered. Nothing is remembered: each call is answered by a
 * question that was put after it, so what was committed before the call is seen. Alone it waits for nobody.
 * @param findAll finds what there is of these keys, all different.
 * @returns a function from a key to what was found. It throws what `findAll` threw.
 */
export const batchLookUps = <Found>(
  findAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): ((key: string) => Promise<Found | undefined>) => {
  let waiting = new Map<string, Waiting<Found>[]>()
  let isAsking = false

  const ask = async (asked: ReadonlyMap<string, readonly Waiting<Found>[]>): Promise<void> => {
    try {
      const found = await findAll([...asked.keys()])
      for (const [key, calls] of asked) for (const { resolve } of calls) resolve(found.get(key))
    } catch (error) {
      for (const { reject } of [...asked.values()].flat()) reject(error)
    }
  }
  const run = async (): Promise<void> => {
    // Requests that can be read now are read before this goes on.
    await new Promise(setImmediate)
    while (waiting.size > 0) {
      const all = [...waiting]
      waiting = new Map(all.slice(maxAtOnce))
      await inTime(ask(new Map(all.slice(0, maxAtOnce))))
    }
    isAsking = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const calls = waiting.get(key) ?? []
      waiting.set(key, calls)
      calls.push({ resolve, reject })
      if (isAsking) return
      isAsking = true
      void run()
    })
}

/** Waits for an answer, but not long. */
const inTime = async (answer: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([answer, late])
  clearTimeout(timer)
}
