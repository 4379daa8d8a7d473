import { useState } from 'react'
import { useLive, type LiveItems } from '#api/live.ts'
import type { Schema } from '#api/types.ts'

type Group = Schema<'ErrorReportGroup'>
type Live = LiveItems['error_report']

interface Seen {
  /** When the rows were read that these changes came after. */
  readonly at: number
  readonly items: ReadonlyMap<number, Live>
}

const nothing: ReadonlyMap<number, Live> = new Map()

/**
 * What happened to groups since their list was read. Rows count up where they are, so that nothing moves under the pointer;
 * of groups that are not on the page it is only known how many.
 */
export const useLiveGroups = (rows: readonly Group[], readAt: number) => {
  const [seen, setSeen] = useState<Seen>({ at: readAt, items: nothing })
  useLive('error_report', ({ items }) =>
    setSeen((before) => ({
      at: readAt,
      items: new Map([
        ...(before.at === readAt ? before.items : nothing),
        ...items.map((item) => [item.group, item] as const),
      ]),
    })),
  )
  const items = seen.at === readAt ? seen.items : nothing
  const known = new Set(rows.map(({ id }) => id))
  return {
    liveOf: (id: number): Live | undefined => items.get(id),
    others: [...items.values()].filter(({ group, state }) => state === 'open' && !known.has(group)).length,
  }
}
