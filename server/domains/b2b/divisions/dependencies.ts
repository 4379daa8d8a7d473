import type { Tx } from '#platform/db/database.ts'
import type { Dependencies } from '../dependencies.ts'

export interface DivisionDeps extends Dependencies {
  /** Moves what is kept by tree along with these divisions, which are in another tree now. */
  readonly followMove: (tx: Tx, divisionIds: readonly number[]) => Promise<void>
}
