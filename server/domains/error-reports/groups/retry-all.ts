import { Type, type Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { Range } from '../open-reports.ts'
import type { ActOnAllDeps } from './resolve-all.ts'
import type { Asking, RetryReports } from '#failures/retry-report.ts'

const Wanted = Type.Object({
  group: Id,
  by: Id,
  up_to_id: Type.Integer({ minimum: 0 }),
  /** When it was asked for: what was tried again since is not once more, by a job that starts again. Absent in earlier jobs. */
  asked_at: Type.Optional(Type.String({ format: 'date-time' })),
  /** What whoever asked might do. Absent in jobs of earlier versions, which then do what needs no right of its own. */
  rights: Type.Optional(
    Type.Object({
      is_staff: Type.Boolean(),
      is_superuser: Type.Boolean(),
      scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
    }),
  ),
  request_id: Type.Optional(Type.String()),
})
type Wanted = Static<typeof Wanted>

/** Which reports of which group: those up to an id. */
export interface GroupUpTo {
  readonly group: number
  readonly upToId: number
}

const wantedBy = ({ who, requestId }: Asking, { group, upToId }: GroupUpTo, now: Date): Wanted => ({
  group,
  by: who.userId,
  up_to_id: upToId,
  asked_at: now.toISOString(),
  rights: {
    is_staff: who.isStaff,
    is_superuser: who.isSuperuser,
    scopes: who.scopes === null ? null : [...who.scopes],
  },
  request_id: requestId,
})

const askingFor = ({ by, rights, request_id: requestId = '' }: Wanted): Asking => {
  const { is_staff: isStaff, is_superuser: isSuperuser, scopes } = rights ?? noRights
  return { who: { userId: by, isStaff, isSuperuser, scopes: scopes as Asking['who']['scopes'] }, requestId }
}
const noRights = { is_staff: false, is_superuser: false, scopes: [] }

/** Jobs of people with other rights are not the same, whatever they asked for. */
const keyOf = (asking: Asking, { group }: GroupUpTo): string => {
  const { isStaff, isSuperuser, scopes, userId } = asking.who
  return JSON.stringify([group, userId, isStaff, isSuperuser, scopes === null ? null : [...scopes].toSorted()])
}

/** What became of reports, as numbers. */
export interface Retried {
  readonly started: number
  readonly not_retryable: number
  readonly not_allowed: number
}

type Page = GroupUpTo & Omit<Range, 'ownOnly'>

/** Clocks of processes differ. */
const laterOf = (one: Date, other = one): Date => (one < other ? other : one)

/** Makes the function that has the open reports of a group up to an id tried again, by itself or by a job. */
export const makeRetryAll = ({
  db,
  clock,
  jobs,
  reports,
  retryReports,
  findPeople,
  mostRetriedAtOnce,
  step,
}: ActOnAllDeps & { readonly retryReports: RetryReports }) => {
  /** Those of a page. @returns also where the next page begins; undefined when there is none. */
  const retryPage = async (tx: Tx, asking: Asking, { group, ...range }: Page) => {
    await reports.takeTurn(tx)
    const page = await reports.list(tx, { groupId: group }, range)
    const outcomes = await retryReports.retry(tx, page, asking)
    const started = page.filter((_, index) => outcomes[index] === 'started').map(({ id }) => id)
    await reports.markRetried(tx, started, { by: asking.who.userId, at: laterOf(clock.now(), range.notRetriedSince) })
    const notAllowed = outcomes.filter((outcome) => outcome === 'forbidden').length
    const counted: Retried = {
      started: started.length,
      not_retryable: page.length - started.length - notAllowed,
      not_allowed: notAllowed,
    }
    return { counted, nextId: page.length < range.limit ? undefined : page.at(-1)?.id }
  }

  /** With the rights that whoever asked has not lost since; undefined: it is not theirs to ask for any more. */
  const stillAsking = async (tx: Tx, asking: Asking): Promise<Asking | undefined> => {
    const [person] = await findPeople(tx, [asking.who.userId])
    const isSuperuser = asking.who.isSuperuser && person?.isSuperuser === true
    const isStaff = asking.who.isStaff && person?.isStaff === true
    if (person?.isActive !== true || !(isSuperuser || isStaff)) return undefined
    return { ...asking, who: { ...asking.who, isStaff, isSuperuser } }
  }

  const job = jobs.define({
    name: 'error-report-groups.retry-all',
    data: Wanted,
    handler: async (wanted, { signal }) => {
      const asking = askingFor(wanted)
      const notRetriedSince = wanted.asked_at === undefined ? undefined : new Date(wanted.asked_at)
      const which = { group: wanted.group, upToId: wanted.up_to_id, limit: step, notRetriedSince }
      let afterId: number | undefined = 0
      while (afterId !== undefined) {
        signal.throwIfAborted()
        const from: number = afterId
        afterId = await inTransaction(db, async (tx) => {
          const still = await stillAsking(tx, asking)
          return still && (await retryPage(tx, still, { ...which, afterId: from })).nextId
        })
      }
      return undefined
    },
  })

  /** @returns what it did by itself. */
  return async (tx: Tx, asking: Asking, which: GroupUpTo, isMany: boolean): Promise<Retried> => {
    if (!isMany) return (await retryPage(tx, asking, { ...which, afterId: 0, limit: mostRetriedAtOnce })).counted
    await job.enqueue(tx, wantedBy(asking, which, clock.now()), { singletonKey: keyOf(asking, which) })
    return { started: 0, not_retryable: 0, not_allowed: 0 }
  }
}
