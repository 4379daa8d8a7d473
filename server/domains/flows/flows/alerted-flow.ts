import { onOneLine } from '#delivery/surface/owned.ts'
import type { Tx } from '#platform/db/database.ts'
import { findFlowOfSubscription } from './store.ts'

/** A flow as a message about the health of its target needs it. */
export interface AlertedFlow {
  /** What people know it by. */
  readonly title: string
  /** Where it can be looked at, from the root of this server. */
  readonly path: string
  /** Users to tell: who made it. */
  readonly audience: readonly number[]
}

/** Makes the function that finds the flow of a subscription; undefined when the subscription is no flow's. */
export const makeAlertedFlow =
  (path: string) =>
  async (tx: Tx, subscriptionId: number): Promise<AlertedFlow | undefined> => {
    const flow = await findFlowOfSubscription(tx, subscriptionId)
    if (flow === undefined) return undefined
    const { id, name, createdBy } = flow
    const shown = onOneLine(name)
    return { title: shown === '' ? `Flow ${id}` : `Flow “${shown}”`, path: `${path}/${id}`, audience: [createdBy] }
  }

/** A failed run of a flow, as a report of it shows both. Paths are from the root of this server. */
export interface FailedRun {
  readonly targetId: string
  readonly target: { readonly label: string; readonly path: string }
  readonly runPath: string
}

/** Makes the function that finds the flow whose run failed, a removed one too; undefined when the subscription is no flow's. */
export const makeFailedRun = (path: string) => {
  const alertedFlow = makeAlertedFlow(path)
  return async (tx: Tx, subscriptionId: number, runId: number): Promise<FailedRun | undefined> => {
    const flow = await alertedFlow(tx, subscriptionId)
    if (flow === undefined) return undefined
    return {
      targetId: flow.path.slice(path.length + 1),
      target: { label: flow.title, path: flow.path },
      runPath: `${flow.path}/runs/${runId}`,
    }
  }
}
