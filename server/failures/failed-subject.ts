import { contentTypes } from '#events/content-types.ts'
import type { Tx } from '#platform/db/database.ts'
import type { FailedDelivery, FailedEvent } from './failed-deliveries-store.ts'
import type { Shown } from './own-failure.ts'

/** What failed, and towards whom, as a report names them. */
export interface FailedSubject {
  readonly actionContentType: number
  readonly action: Shown
  readonly targetContentType: number
  /** Null of the webhook of a project that was removed. */
  readonly targetObjectId: string | null
  readonly target: Shown | null
  /** What the sentence that says it begins with. */
  readonly what: string
  /** What was sent is for others than those who see the report. */
  readonly isConfidential: boolean
}

/** Whom something was to be sent to, as its domain knows it. */
interface Addressed {
  readonly targetId: string
  readonly target: { readonly label: string; readonly path: string }
}

export interface FailedSubjectDeps {
  /** The project webhook of a subscription, and where its delivery is shown; undefined when it is none. */
  readonly failedDelivery: (
    tx: Tx,
    subscriptionId: number,
    deliveryId: number,
  ) => Promise<(Addressed & { readonly deliveryPath: string }) | undefined>
  /** The flow of a subscription, and where its run is shown; undefined when it is none. */
  readonly failedRun: (
    tx: Tx,
    subscriptionId: number,
    runId: number,
  ) => Promise<(Addressed & { readonly runPath: string }) | undefined>
  /** The user whose hook a subscription is, removed or not; undefined when it is none. */
  readonly ownerOf: (tx: Tx, subscriptionId: number) => Promise<number | undefined>
  /** Whether what is sent to subscriptions of a scope is for the members of a project, and not for the back office. */
  readonly isOfProject: (scope: string) => boolean
  /** First path segment of the hooks, `whisperer` by default. */
  readonly servicePath: string
}

/** Finds out what a failed delivery is to people: one to the webhook of a project, the run of a flow, or one to a hook. */
export const makeFailedSubject =
  ({ failedDelivery, failedRun, ownerOf, isOfProject, servicePath }: FailedSubjectDeps) =>
  async (tx: Tx, { id, subscriptionId, scope, event }: FailedDelivery): Promise<FailedSubject> => {
    const run = await failedRun(tx, subscriptionId, id)
    if (run !== undefined)
      return {
        actionContentType: contentTypes.flowrun,
        action: { label: `Run ${id} of ${run.target.label}`, path: run.runPath },
        targetContentType: contentTypes.flow,
        targetObjectId: run.targetId,
        target: run.target,
        what: run.target.label,
        isConfidential: false,
      }
    const delivery = {
      actionContentType: contentTypes.delivery,
      targetContentType: contentTypes.webhook,
      what: 'Delivery',
      // By the scope: a webhook that was removed is not found any more.
      isConfidential: isOfProject(scope),
    }
    const label = labelOf(event)
    const webhook = await failedDelivery(tx, subscriptionId, id)
    if (webhook !== undefined)
      return {
        ...delivery,
        action: { label, path: webhook.deliveryPath },
        targetObjectId: webhook.targetId,
        target: webhook.target,
      }
    // What it was called is gone with it.
    if (delivery.isConfidential)
      return { ...delivery, action: { label, path: null }, targetObjectId: null, target: null }
    // What is shown of a hook stays when the hook is removed; a project's webhook takes its log with it.
    const isHook = (await ownerOf(tx, subscriptionId)) !== undefined
    return {
      ...delivery,
      action: { label, path: isHook ? `/${servicePath}/hook_events/${id}/` : null },
      targetObjectId: String(subscriptionId),
      target: {
        label: `Webhook ${subscriptionId}`,
        path: isHook ? `/${servicePath}/hooks/${subscriptionId}/` : null,
      },
    }
  }

const labelOf = (event: FailedEvent | undefined): string => {
  if (event === undefined) return 'Delivery of an event that is not kept any more'
  const { type, objectType, objectId } = event
  return `Delivery of ${type}${objectType === null ? '' : ` (${objectType} ${objectId ?? ''})`}`
}
