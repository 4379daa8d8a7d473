import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { Group, GroupState } from './group.ts'
import { isUser, lockGroup, updateGroup, type GroupChanges } from './store.ts'

/** What somebody wants of a group; absent fields stay. */
export interface WantedGroup {
  readonly state?: GroupState | undefined
  readonly assignee?: number | null | undefined
  readonly note?: string | undefined
}

/**
 * Changes the state, the person who looks at it, or the note of a group. To resolve a group says that its cause is gone;
 * its open reports stay open (`resolve_all` is for those).
 * @throws AppError 404; 400 for an assignee who is no staff.
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
    ...stateChanges(group, wanted.state, { by, now }),
    ...sentFields({ assignee: wanted.assignee, note: wanted.note }),
  }
  return Object.keys(changes).length === 0 ? group : updateGroup(tx, id, changes)
}

const stateChanges = (
  group: Group,
  state: GroupState | undefined,
  { by, now }: { readonly by: number; readonly now: Date },
): GroupChanges => {
  if (state === undefined) return {}
  if (state !== 'resolved') return { state, resolvedAt: null, resolvedBy: null }
  // Said again, it keeps its time: failures since then are no news.
  return group.state === 'resolved' && group.resolvedBy !== null ? {} : { state, resolvedAt: now, resolvedBy: by }
}
