import type { Tx } from '#platform/db/database.ts'

/** A subscription as messages about its health speak of it. */
export interface AlertSubject {
  /** What people know it by. */
  readonly title: string
  /** E-mail of the person whose it is; undefined when nobody can be written to. */
  readonly owner: string | undefined
  /** Where it can be looked at. */
  readonly link: string
}

/** The webhook of a project, or a flow, as its domain tells of it. */
interface Alerted {
  readonly title: string
  /** From the root of this server. */
  readonly path: string
  /** Ids of users: the first of them who can be written to gets the message. */
  readonly audience: readonly number[]
}

export interface AlertSubjectDeps {
  /** The project webhook of a subscription; undefined when it is none. */
  readonly alertedWebhook: (tx: Tx, subscriptionId: number) => Promise<Alerted | undefined>
  /** The flow of a subscription; undefined when it is none. */
  readonly alertedFlow: (tx: Tx, subscriptionId: number) => Promise<Alerted | undefined>
  /** The user whose hook a subscription is. */
  readonly ownerOf: (tx: Tx, subscriptionId: number) => Promise<number | undefined>
  /** Where a user can be written to; undefined for one who may not log in any more. */
  readonly emailOf: (tx: Tx, userId: number | undefined) => Promise<string | undefined>
  /** The same, undefined also for one who does not work in the back office any more. */
  readonly staffEmailOf: (tx: Tx, userId: number | undefined) => Promise<string | undefined>
  readonly baseUrl: () => string
  /** First path segment of the hooks, `whisperer` by default. */
  readonly servicePath: string
}

/** Finds out what a subscription is to people: the webhook of a project, a flow, or a hook of the back office. */
export const makeAlertSubject =
  (deps: AlertSubjectDeps) =>
  async (tx: Tx, subscriptionId: number): Promise<AlertSubject> => {
    const { emailOf, staffEmailOf } = deps
    const webhook = await deps.alertedWebhook(tx, subscriptionId)
    if (webhook !== undefined) return subjectOf(tx, webhook, emailOf, deps)
    // Flows are the company's: whoever has left the back office is not told of theirs any more.
    const flow = await deps.alertedFlow(tx, subscriptionId)
    if (flow !== undefined) return subjectOf(tx, flow, staffEmailOf, deps)
    return {
      title: `Webhook ${subscriptionId}`,
      owner: await emailOf(tx, await deps.ownerOf(tx, subscriptionId)),
      link: `${deps.baseUrl()}/${deps.servicePath}/hooks/${subscriptionId}/health/`,
    }
  }

const subjectOf = async (
  tx: Tx,
  { title, path, audience }: Alerted,
  emailOf: AlertSubjectDeps['emailOf'],
  { baseUrl }: Pick<AlertSubjectDeps, 'baseUrl'>,
): Promise<AlertSubject> => {
  let owner: string | undefined
  for (const userId of audience) owner ??= await emailOf(tx, userId)
  return { title, owner, link: `${baseUrl()}${path}` }
}
