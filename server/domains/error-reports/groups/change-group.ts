import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { sentFields } from '#platform/sent-fields.ts'
import { stateAt, type Group, type GroupState } from './group.ts'
import { isUser, lockGroup, updateGroup, type GroupChanges } from './store.ts'

/** What somebody wants of a group; absent fields stay. */
export interface WantedGroup {
  readonly state?: GroupState | undefined
  readonly ignoredUntil?: Date | null | undefined
  readonly assignee?: number | null | undefined
  readonly note?: string | undefined
}

/**
 * Changes the state, the person who looks at it, or the note of a group. To resolve a group says that its cause is gone;
 * its open reports stay open (`resolve_all` is for those).
 * @throws AppError 404; 400 for an assignee who is no staff, or a time to ignore until that has passed or fits no `ignored`.
 */
export const changeGroup = async (
  tx: Tx,
  id: number,
  wanted: WantedGroup,
  { by, now }: { readonly by: number; readonly now: Date },
): Promise<Group> => {
  const group = orNotFound(await lockGroup(tx, id))
  if (typeof wanted.assignee === 'number' && !(await isUser(tx, wanted.assignee)))
    throw invalidField('assignee', 'There is no such member of staff.')
  const changes: GroupChanges = {
    ...stateChanges(group, wanted, { by, now }),
    ...sentFields({ assignee: wanted.assignee, note: wanted.note }),
  }
  return Object.keys(changes).length === 0 ? group : updateGroup(tx, id, changes)
}

const stateChanges = (
  group: Group,
  { state, ignoredUntil }: WantedGroup,
  { by, now }: { readonly by: number; readonly now: Date },
): GroupChanges => {
  const next = state ?? stateAt(group, now)
  if (next !== 'ignored' && ignoredUntil instanceof Date)
    throw invalidField('ignored_until', 'Only a group whose state is ignored can have this time.')
  if (next === 'ignored') return state === undefined && ignoredUntil === undefined ? {} : ignoring(ignoredUntil, now)
  if (state === undefined) return {}
  if (next === 'open') return { state: next, ignoredUntil: null, resolvedAt: null, resolvedBy: null }
  // Said again, it keeps its time: failures since then are no news.
  if (group.state === 'resolved' && group.resolvedBy !== null) return {}
  return { state: next, ignoredUntil: null, resolvedAt: now, resolvedBy: by }
}

const ignoring = (until: Date | null | undefined, now: Date): GroupChanges => {
  if (until instanceof Date && until <= now) throw invalidField('ignored_until', 'Expected a time in the future.')
  return { state: 'ignored', ignoredUntil: until ?? null, resolvedAt: null, resolvedBy: null }
}
