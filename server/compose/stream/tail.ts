import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Looks, type Look } from '#platform/db/new-rows.ts'
import { makeLoop } from '#platform/loop.ts'
import type { Found } from './changes.ts'

export interface TailOptions {
  readonly name: string
  readonly log: Logger
  /** Longest and shortest time from one look to the next. */
  readonly everyMs: number
  readonly gapMs: () => number
  /** The first look: what comes after it is new. */
  readonly first: () => Promise<Look>
  readonly read: (looks: Looks) => Promise<{ readonly look: Look; readonly found: readonly Found[] }>
  readonly onFound: (found: readonly Found[]) => void
  /** The database is another one, or was put back: nobody knows what is new. */
  readonly onLost: () => void
}

/** Looks again and again for what is new, and passes on what does not repeat what was said before. */
export const makeTail = (options: TailOptions) => {
  const { name, log, everyMs, gapMs, read, onFound, onLost } = options
  const looks = new Looks()
  const news = makeNews()
  let lookedAt = -Infinity
  const run = async (signal: AbortSignal): Promise<void> => {
    await sleep(Math.max(lookedAt + gapMs() - performance.now(), 0), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    lookedAt = performance.now()
    const { look, found } = await read(looks)
    if (!looks.add(look)) return onLost()
    onFound(found.map(news).filter(({ changes }) => changes.length > 0))
  }
  const loop = makeLoop({ name, everyMs, log, run })
  return {
    ...loop,
    /** Resolves when everything that is committed from now on will be found. */
    start: async () => {
      looks.add(await options.first())
      await loop.start()
    },
  }
}

/** Of how many things it is known what was said of them last. */
const maxKnown = 10_000

/** Leaves out what says of a thing what was said of it before: rows also change in what nobody is told of. */
const makeNews = () => {
  const said = new Map<string, string>()
  const isNew = (about: string, text: string): boolean => {
    const isRepeated = said.get(about) === text
    // To the end, where what was said lately is.
    said.delete(about)
    said.set(about, text)
    return !isRepeated
  }
  return (found: Found): Found => {
    const { topic } = found
    const changes = found.changes.filter(({ of, item }) => isNew(`${topic} ${of}`, JSON.stringify(item)))
    for (const about of said.keys()) {
      if (said.size <= maxKnown) break
      said.delete(about)
    }
    return { ...found, changes }
  }
}
