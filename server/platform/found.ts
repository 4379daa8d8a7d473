import type { Principal } from './auth/principal.ts'
import type { Db } from './db/database.ts'

/** Something that a search has found. */
export interface Found<Kind extends string = string> {
  readonly kind: Kind
  readonly id: string
  readonly title: string
  readonly subtitle: string
  /** Of a delivery. */
  readonly status?: string
  /** Where the console shows it. */
  readonly path: string
  /** Whether its id, number or the like is what was asked for, and not a part of its name. */
  readonly isExact: boolean
}

/** What is searched for. */
export interface Asked {
  readonly text: string
  /** The same as a numeric id; null where it is none. */
  readonly id: number | null
  /** The same as a part of a name; null where it is too short for an index of trigrams. */
  readonly part: string | null
}

/** Finds what the principal may see, a few of each kind, through indexes or among few rows. */
export type Find<Kind extends string = string> = (
  db: Db,
  principal: Principal,
  asked: Asked,
) => Promise<readonly Found<Kind>[]>

/** Of each kind and each way to find it. */
export const foundOfKind = 5

export const askedOf = (sent: string): Asked => {
  const text = sent.trim()
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  return {
    text,
    id: Number.isSafeInteger(id) && id > 0 ? id : null,
    part: /[\p{L}\p{N}]{3}/u.test(text) ? text : null,
  }
}
