import type { HealthNotice } from '#delivery/health/record-health.ts'
import { contentTypes } from '#events/content-types.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Addressee, MailLocale } from '#platform/mail/reader.ts'
import type { FailedDelivery, FailedEvent } from './failed-deliveries-store.ts'
import type { OwnFailure } from './own-failure.ts'

/** Whose a subscription is: a hook of the back office, the webhook of a project, or a flow. */
export type ReceiverKind = 'hook' | 'project' | 'flow'

/** What something is called in each language that people are written to in. */
type Titles = Readonly<Record<MailLocale, string>>

/** A subscription as messages about its health speak of it. */
export interface AlertSubject {
  /** What people know it by. */
  readonly title: Titles
  /** The person whose it is; undefined when nobody can be written to. */
  readonly owner: Addressee | undefined
  /** Where it can be looked at. */
  readonly link: string
}

/** What failed, and towards whom, as a report names them. */
export interface FailedSubject extends Pick<OwnFailure, 'actionContentType' | 'action' | 'targetObjectId' | 'target'> {
  readonly targetContentType: number
  /** Begins the sentence that says what failed. */
  readonly what: string
  /** What was sent is for others than those who see the report. */
  readonly isConfidential: boolean
}

/** The webhook of a project, or a flow, as its domain tells of it. */
interface Alerted {
  readonly title: Titles
  /** Of the API. */
  readonly path: string
  /** Ids of users: the first of them who can be written to gets the message. */
  readonly audience: readonly number[]
}

/** Whom something was to be sent to, as its domain knows it. */
interface Addressed {
  readonly targetId: string
  readonly target: { readonly label: string; readonly path: string }
}

type Find<T, Args extends readonly unknown[] = []> = (tx: Tx, id: number, ...args: Args) => Promise<T | undefined>

export interface SubjectsDeps {
  readonly kindOf: (scope: string) => ReceiverKind
  /** The project webhook of a subscription; undefined when it is removed. */
  readonly alertedWebhook: Find<Alerted>
  readonly failedDelivery: Find<Addressed & { readonly deliveryPath: string }, [deliveryId: number]>
  /** The flow of a subscription. */
  readonly alertedFlow: Find<Alerted>
  readonly failedRun: Find<Addressed & { readonly runPath: string }, [runId: number]>
  /** The user whose hook a subscription is, removed or not. */
  readonly ownerOf: Find<number>
  /** A user who can be written to; undefined for one who may not log in any more. */
  readonly addresseeOf: (tx: Tx, userId: number) => Promise<Addressee | undefined>
  /** Undefined also for a user without back-office access. */
  readonly staffAddresseeOf: (tx: Tx, userId: number) => Promise<Addressee | undefined>
  /** Pages: of a hook, and of what the API has at a path. */
  readonly pages: { readonly hook: (id: number) => string; readonly ofApi: (path: string) => string }
  /** First path segment of the hooks, `whisperer` by default. */
  readonly servicePath: string
}

/** Makes the functions that say what a subscription, or a delivery that failed, is to people: by the kind of the receiver. */
export const makeSubjects = (deps: SubjectsDeps) => ({
  alertSubject: makeAlertSubject(deps),
  failedSubject: (tx: Tx, failed: FailedDelivery): Promise<FailedSubject> =>
    failedBy[deps.kindOf(failed.scope)](deps, tx, failed),
})

const makeAlertSubject = (deps: SubjectsDeps) => {
  const alertedHook = async (tx: Tx, id: number) => {
    const owner = await deps.ownerOf(tx, id)
    const title = `Webhook ${id}`
    return { title: { en: title, tr: title }, link: deps.pages.hook(id), audience: owner === undefined ? [] : [owner] }
  }
  const paged = (find: Find<Alerted>) => async (tx: Tx, id: number) => {
    const alerted = await find(tx, id)
    return alerted && { ...alerted, link: deps.pages.ofApi(alerted.path) }
  }
  const alertedBy = { hook: alertedHook, project: paged(deps.alertedWebhook), flow: paged(deps.alertedFlow) }

  return async (tx: Tx, about: Pick<HealthNotice, 'subscriptionId' | 'scope'>): Promise<AlertSubject> => {
    const id = about.subscriptionId
    const kind = deps.kindOf(about.scope)
    const { title, link, audience } = (await alertedBy[kind](tx, id)) ?? (await alertedHook(tx, id))
    // Flows are the company's: whoever has left the back office is not told of theirs any more.
    const addresseeOf = kind === 'flow' ? deps.staffAddresseeOf : deps.addresseeOf
    let owner: Addressee | undefined
    for (const userId of audience) owner ??= await addresseeOf(tx, userId)
    return { title, owner, link }
  }
}

type Failed = (deps: SubjectsDeps, tx: Tx, failed: FailedDelivery) => Promise<FailedSubject>

const toProject: Failed = async ({ failedDelivery }, tx, { id, subscriptionId, event }) => {
  const webhook = await failedDelivery(tx, subscriptionId, id)
  return {
    ...delivery,
    isConfidential: true,
    action: { label: labelOf(event), path: webhook?.deliveryPath ?? null },
    // What a removed webhook was called is gone with it, as is its log.
    targetObjectId: webhook?.targetId ?? null,
    target: webhook?.target ?? null,
  }
}

const toHook: Failed = async ({ ownerOf, servicePath }, tx, { id, subscriptionId, event }) => {
  // What is shown of a hook stays when the hook is removed.
  const isHook = (await ownerOf(tx, subscriptionId)) !== undefined
  return {
    ...delivery,
    isConfidential: false,
    action: { label: labelOf(event), path: isHook ? `/${servicePath}/hook_events/${id}/` : null },
    targetObjectId: String(subscriptionId),
    target: { label: `Webhook ${subscriptionId}`, path: isHook ? `/${servicePath}/hooks/${subscriptionId}/` : null },
  }
}

const toFlow: Failed = async (deps, tx, failed) => {
  const run = await deps.failedRun(tx, failed.subscriptionId, failed.id)
  if (run === undefined) return toHook(deps, tx, failed)
  return {
    actionContentType: contentTypes.flowrun,
    action: { label: `Run ${failed.id} of ${run.target.label}`, path: run.runPath },
    targetContentType: contentTypes.flow,
    targetObjectId: run.targetId,
    target: run.target,
    what: run.target.label,
    isConfidential: false,
  }
}

const failedBy: Readonly<Record<ReceiverKind, Failed>> = { hook: toHook, project: toProject, flow: toFlow }

const delivery = {
  actionContentType: contentTypes.delivery,
  targetContentType: contentTypes.webhook,
  what: 'Delivery',
}

const labelOf = (event: FailedEvent | undefined): string => {
  if (event === undefined) return 'Delivery of an event that is not kept any more'
  const { type, objectType, objectId } = event
  return `Delivery of ${type}${objectType === null ? '' : ` (${objectType} ${objectId ?? ''})`}`
}
