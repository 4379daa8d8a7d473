import type { ComponentType } from 'react'
import type { Me } from '#api/session.ts'
import type { Search } from './list/filters.ts'

/** The address of a screen: what stands in its path and behind the `?`. */
export interface Address {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly search: Search
}

/** A query as `listOf` and `recordOf` make it. */
export interface AnyQuery {
  readonly queryKey: readonly unknown[]
}

/** A screen as its feature describes it; the shell makes a route of it. */
export interface Screen {
  /** Where it is, as in `/packages/$id`. Details of a row are a child of its list: `$id`. */
  readonly path: string
  /** Fetches its code, when it is first gone to or pointed at. */
  readonly load: () => Promise<{
    readonly component: ComponentType
    /** What the screen will ask for at this address, so that it is asked for before it renders. */
    readonly asks?: (address: Address) => readonly AnyQuery[]
  }>
  /** Who may see it; everybody who is logged in when it is absent. The server decides, this only says it early. */
  readonly may?: (me: Me) => boolean
  readonly children?: readonly Screen[]
}
