import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { inSteps } from '#platform/db/transaction.ts'
import { invalidField } from '#platform/errors.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { changeOpenCounts } from '../groups/index.ts'
import type { ChangeKind, ReportChange } from '../open-reports.ts'
import { lockReports } from './bucket-store.ts'
import {
  countSelected,
  holdToChange,
  newestId,
  reopenable,
  reopenRows,
  selectedIds,
  type IdRange,
  type Selection,
} from './change-many-store.ts'
import { findChange, insertChange, isUndone, markUndone } from './changes-store.ts'
import type { ReportQuery } from './list-store.ts'
import { resolveRows } from './store.ts'

export interface ChangeManyDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly jobs: Pick<Jobs, 'define'>
  /** More than these are left to a job. */
  readonly maxAtOnce?: number
  /** Reports of one step of a job: creations wait for it. */
  readonly step?: number
}

/** What to change: a selection, or what another change did. */
export type Wanted = { readonly ids: readonly number[] } | { readonly query: ReportQuery } | { readonly undo: number }

/** `in_progress`: a job changes them. `undo` names the change for the opposite one; null when nothing was changed. */
export interface ChangedMany {
  readonly status: 'done' | 'in_progress'
  /** How many could be changed; infinitely many where the count by words stopped. */
  readonly count: number
  readonly changed: readonly number[]
  readonly undo: number | null
}

const JobData = Type.Object({
  change: Id,
  kind: OneOf(['resolve', 'reopen']),
  up_to_id: Type.Integer({ minimum: 0 }),
  query: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** The change whose reports they are. */
  undoes: Type.Optional(Id),
})

const opposite = { resolve: 'reopen', reopen: 'resolve' } as const

/** What a selection is made of. @throws AppError 400 for a change to undo that there is not. */
const selectionOf = async (db: Db | Tx, kind: ChangeKind, wanted: Wanted): Promise<Selection> => {
  if (!('undo' in wanted)) return wanted
  const change = await findChange(db, wanted.undo, opposite[kind])
  if (change === undefined) throw invalidField('undo', `There is no such ${opposite[kind]} to undo.`)
  return { changedAt: change.changedAt }
}

/**
 * Makes what resolves or reopens many reports, as `is_ok` of each would. They are those that there are when it is asked for. To
 * undo a change is to change back what has it as its last change; what a job has not come to stays as it is.
 */
export const makeChangeMany = ({ db, clock, jobs, maxAtOnce = 1_000, step = 1_000 }: ChangeManyDeps) => {
  /** Those of one step. The caller holds the lock of all changes. @returns also behind which id the next step begins, if one does. */
  const changeSome = async (tx: Tx, change: ReportChange, selection: Selection, range: IdRange) => {
    const { kind, changedBy: by, changedAt: at } = change
    const ids = await selectedIds(tx, kind, selection, range)
    const held = await holdToChange(tx, kind, ids)
    const rows = kind === 'reopen' ? await reopenable(tx, held) : held
    const groups =
      kind === 'reopen' ? await reopenRows(tx, rows, at) : await resolveRows(tx, rows, { how: 'patched', by, at })
    await changeOpenCounts(tx, groups, at)
    return { changed: rows.map(({ id }) => id), nextId: ids.length < range.limit ? undefined : ids.at(-1) }
  }

  const job = jobs.define({
    name: 'error-reports.change-many',
    data: JobData,
    handler: async ({ change: id, kind, up_to_id: upToId, query, undoes }, { signal }) => {
      let afterId = 0
      await inSteps(db, signal, async (tx) => {
        await lockReports(tx)
        const change = await findChange(tx, id, kind)
        if (change === undefined || (await isUndone(tx, id))) return false
        const wanted = undoes === undefined ? { query: query as unknown as ReportQuery } : { undo: undoes }
        const selection = await selectionOf(tx, kind, wanted)
        const { nextId } = await changeSome(tx, change, selection, { afterId, upToId, limit: step })
        afterId = nextId ?? afterId
        return nextId !== undefined
      })
      return undefined
    },
  })

  return {
    /** How many it would change, and some of them. @throws AppError 400 for a filter, or a change that there is not. */
    async preview(kind: ChangeKind, wanted: Wanted, sample: number) {
      const selection = await selectionOf(db, kind, wanted)
      const range = { afterId: 0, upToId: Number.MAX_SAFE_INTEGER - 1, limit: sample }
      return {
        count: await countSelected(db, kind, selection),
        ids: await selectedIds(db, kind, selection, range),
      }
    },

    /** @throws AppError 400 for a filter, or a change that there is not. */
    async change(tx: Tx, kind: ChangeKind, wanted: Wanted, by: number): Promise<ChangedMany> {
      await lockReports(tx)
      const selection = await selectionOf(tx, kind, wanted)
      if ('undo' in wanted) await markUndone(tx, wanted.undo, opposite[kind], clock.now())
      const count = await countSelected(tx, kind, selection)
      if (count === 0) return { status: 'done', count, changed: [], undo: null }
      const change = await insertChange(tx, { kind, changedBy: by, now: clock.now() })
      const upToId = await newestId(tx)
      if (count <= maxAtOnce) {
        const { changed } = await changeSome(tx, change, selection, { afterId: 0, upToId, limit: maxAtOnce })
        return { status: 'done', count, changed, undo: change.id }
      }
      const which = 'undo' in wanted ? { undoes: wanted.undo } : { query: 'query' in wanted ? { ...wanted.query } : {} }
      await job.enqueue(tx, { change: change.id, kind, up_to_id: upToId, ...which })
      return { status: 'in_progress', count, changed: [], undo: change.id }
    },
  }
}
