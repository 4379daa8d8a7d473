import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What a program did to its disk, or told the world. Descriptors are those of the thread that opened them. */
export type Entry =
  | { readonly kind: 'create' | 'mkdir' | 'remove' | 'sync'; readonly path: string }
  | { readonly kind: 'open'; readonly path: string; readonly descriptor: number }
  | { readonly kind: 'write'; readonly descriptor: number; readonly position: number }
  | { readonly kind: 'truncate'; readonly descriptor: number; readonly size: number }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'answered'; readonly name: string; readonly value: number }

export type Recorded = Entry & { readonly number: number; readonly data: Buffer }

/** Everything recorded by all threads of the process that had its files under `disk`, in the order in which it happened. */
export const readJournal = (disk: string): Recorded[] => {
  const directory = dirname(disk)
  const files = readdirSync(directory).filter((name) => name.startsWith(`${basename(disk)}.journal.`))
  return files
    .flatMap((name) => [...entriesOf(readFileSync(join(directory, name)))])
    .toSorted((a, b) => a.number - b.number)
}

function* entriesOf(content: Buffer): Generator<Recorded> {
  for (let at = 0; at < content.length;) {
    const end = content.indexOf('\n', at)
    const { length, ...entry } = JSON.parse(content.toString('utf8', at, end)) as Recorded & { length: number }
    at = end + 1 + length
    yield { ...entry, data: content.subarray(end + 1, at) }
  }
}
