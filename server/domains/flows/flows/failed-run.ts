import type { Tx } from '#platform/db/database.ts'
import { makeAlertedFlow } from './alerted-flow.ts'

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
