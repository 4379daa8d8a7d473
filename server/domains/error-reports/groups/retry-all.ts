import { Type, type Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inSteps } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { RetryContext, RetryReports } from '#failures/retry-report.ts'
import type { FindPeople } from '../dependencies.ts'
import type { OpenReports, Range } from '../open-reports.ts'

const Wanted = Type.Object({
  group: Id,
  by: Id,
  up_to_id: Type.Integer({ minimum: 0 }),
  /** When it was asked for: what was tried again since is not once more, by a job that starts again. */
  asked_at: Type.String({ format: 'date-time' }),
  /** What the principal might do. */
  rights: Type.Object({
    is_staff: Type.Boolean(),
    is_superuser: Type.Boolean(),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  }),
  request_id: Type.String(),
})
type Wanted = Static<typeof Wanted>

/** Which reports of which group: those up to an id. */
interface GroupUpTo {
  readonly group: number
  readonly upToId: number
}

const wantedBy = ({ principal, requestId }: RetryContext, { group, upToId }: GroupUpTo, now: Date) => ({
  group,
  by: principal.userId,
  up_to_id: upToId,
  asked_at: now.toISOString(),
  rights: {
    is_staff: principal.isStaff,
    is_superuser: principal.isSuperuser,
    scopes: principal.scopes?.toSorted() ?? null,
  },
  request_id: requestId,
})

const contextOf = ({ by, rights, request_id: requestId }: Wanted): RetryContext => {
  const { is_staff: isStaff, is_superuser: isSuperuser, scopes } = rights
  return {
    principal: { userId: by, isStaff, isSuperuser, scopes: scopes as RetryContext['principal']['scopes'] },
    requestId,
  }
}

/** What became of reports, as numbers. */
export interface Retried {
  readonly started: number
  readonly not_retryable: number
  readonly not_allowed: number
}

export const noneRetried: Retried = { started: 0, not_retryable: 0, not_allowed: 0 }

/** Clocks of processes differ. */
const laterOf = (one: Date, other = one): Date => (one < other ? other : one)

export interface RetryAllDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly jobs: Pick<Jobs, 'define'>
  readonly reports: OpenReports
  readonly retryReports: RetryReports
  readonly findPeople: FindPeople
  /** More than these are left to the job. */
  readonly maxRetriedAtOnce: number
  /** Reports of one step of a job: creations wait for it. */
  readonly step: number
}

/** Makes the functions that retry the open reports of a group up to an id, by itself or by a job. */
export const makeRetryAll = (deps: RetryAllDeps) => {
  const { db, clock, jobs, reports, retryReports, findPeople, maxRetriedAtOnce, step } = deps

  /** Those of a page. @returns also where the next page begins; undefined when there is none. */
  const retryPage = async (tx: Tx, context: RetryContext, { group, ...range }: GroupUpTo & Range) => {
    await reports.lock(tx)
    const page = await reports.list(tx, { groupId: group }, range)
    const outcomes = await retryReports.retry(tx, page, context)
    const started = page.filter((_, index) => outcomes[index] === 'started').map(({ id }) => id)
    const at = laterOf(clock.now(), range.notRetriedSince)
    await reports.markRetried(tx, started, { by: context.principal.userId, at })
    const notAllowed = outcomes.filter((outcome) => outcome === 'forbidden').length
    const notRetryable = page.length - started.length - notAllowed
    return {
      counted: { started: started.length, not_retryable: notRetryable, not_allowed: notAllowed },
      nextId: page.length < range.limit ? undefined : page.at(-1)?.id,
    }
  }

  /** The context with the rights that the principal has not lost since; undefined for one outside the back office now. */
  const presentContext = async (tx: Tx, { principal, requestId }: RetryContext): Promise<RetryContext | undefined> => {
    const [person] = await findPeople(tx, [principal.userId])
    const isSuperuser = principal.isSuperuser && person?.isSuperuser === true
    const isStaff = principal.isStaff && person?.isStaff === true
    if (person?.isActive !== true || !(isSuperuser || isStaff)) return undefined
    return { principal: { ...principal, isStaff, isSuperuser }, requestId }
  }

  const job = jobs.define({
    name: 'error-report-groups.retry-all',
    data: Wanted,
    handler: async (wanted, { signal }) => {
      const context = contextOf(wanted)
      const notRetriedSince = new Date(wanted.asked_at)
      const range = { group: wanted.group, upToId: wanted.up_to_id, limit: step, notRetriedSince }
      let afterId = 0
      await inSteps(db, signal, async (tx) => {
        const present = await presentContext(tx, context)
        const { nextId } = present === undefined ? {} : await retryPage(tx, present, { ...range, afterId })
        afterId = nextId ?? afterId
        return nextId !== undefined
      })
      return undefined
    },
  })

  /** @returns what it did by itself. */
  const retry = async (tx: Tx, context: RetryContext, which: GroupUpTo, isMany: boolean): Promise<Retried> => {
    if (!isMany) return (await retryPage(tx, context, { ...which, afterId: 0, limit: maxRetriedAtOnce })).counted
    const wanted = wantedBy(context, which, clock.now())
    // Jobs of people with other rights are not folded into one, whatever they asked for.
    const singletonKey = JSON.stringify([wanted.group, wanted.by, wanted.rights])
    await job.enqueue(tx, wanted, { singletonKey })
    return noneRetried
  }

  return {
    retry,
    /** What would become of them now, as far as it is known. */
    async preview(tx: Tx, principal: RetryContext['principal'], { group, upToId }: GroupUpTo): Promise<Retried> {
      const page = await reports.list(tx, { groupId: group }, { afterId: 0, upToId, limit: maxRetriedAtOnce })
      const outlooks = await retryReports.outlook(tx, page, principal)
      const started = outlooks.filter((outlook) => outlook === 'possible').length
      const notAllowed = outlooks.filter((outlook) => outlook === 'forbidden').length
      return { started, not_retryable: page.length - started - notAllowed, not_allowed: notAllowed }
    },
  }
}
