import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { Tx } from '#platform/db/database.ts'
import { orNotFound } from '#platform/errors.ts'
import { realChanges, type Sent } from '#platform/sent-fields.ts'
import type { Member } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseChanges } from './lifecycle.ts'
import type { Release } from './release.ts'
import type { ReleaseChanges, ReleaseStore } from './store.ts'

/** What tells one kind of release from the other where it is made and changed. `Asked`: what a POST asks for. */
export interface ReleaseRules<N extends object, Asked> {
  readonly what: 'deployment' | 'distribution'
  readonly store: ReleaseStore<N>
  readonly event: (organizationId: string, release: N & Release) => NewEvent
  /** All fields of a new release, whose rows it takes before. @throws AppError 400 for what does not fit. */
  readonly complete: (tx: Tx, member: Member, asked: Asked) => Promise<N>
  /** Takes the rows that come before the release's own in the order of locks. */
  readonly hold?: (tx: Tx, projectId: string, sent: Sent<ReleaseChanges<N>>) => Promise<unknown>
  /** @throws AppError 400 for changes that do not fit the release. */
  readonly check?: (before: N & Release, changes: ReleaseChanges<N>) => void
  readonly succeeded?: (tx: Tx, release: N & Release, now: Date) => Promise<void>
}

/** The changes a release can go through, each with its event in the same transaction. */
export const makeReleaseChanges = <N extends object, Asked>(
  { clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>,
  rules: ReleaseRules<N, Asked>,
) => ({
  /** @throws AppError 400 for a status that something new cannot have, and for what does not fit. */
  async create(tx: Tx, member: Member, asked: Asked): Promise<N & Release> {
    const { projectId, principal, organizationId } = member
    const fields = await rules.complete(tx, member, asked)
    const making = { projectId, createdBy: principal.userId, now: clock.now() }
    const release = await rules.store.insert(tx, making, fields)
    await outbox.append(tx, [rules.event(organizationId, release)])
    return release
  },

  /**
   * Sets some fields, the outcome among them. Where none really changes, nothing is written and no event raised: of
   * two who report the same outcome at once, the second finds it reported. Of two who report different ones, the
   * second, which waits for the row, is refused.
   * @throws AppError 404; 400 when the release has an outcome already.
   */
  async update(tx: Tx, member: Member, id: string, sent: Sent<ReleaseChanges<N>>): Promise<N & Release> {
    const { projectId, organizationId } = member
    await rules.hold?.(tx, projectId, sent)
    const before = orNotFound(await rules.store.lock(tx, projectId, id))
    const changes = realChanges<ReleaseChanges<N>>(before, sent) as ReleaseChanges<N>
    if (Object.keys(changes).length === 0) return before
    refuseChanges(rules.what, before.status, changes)
    rules.check?.(before, changes)

    const now = clock.now()
    const finished = changes.status === undefined ? {} : { finishedAt: now }
    const after = await rules.store.update(tx, before, { ...changes, ...finished, updatedAt: now })
    if (after.status === before.status) return after
    if (after.status === 'succeeded') await rules.succeeded?.(tx, after, now)
    await outbox.append(tx, [rules.event(organizationId, after)])
    return after
  },
})
