import { onOneLine } from '#delivery/surface/owned.ts'
import type { Tx } from '#platform/db/database.ts'
import { findFlowOfSubscription } from './store.ts'

/**
 * Makes the function that reads what a message about the health of a flow's target says: its title, its path, and the users
 * to tell, which is who made it. It answers undefined when the subscription is no flow's.
 */
export const makeAlertedFlow = (path: string) => async (tx: Tx, subscriptionId: number) => {
  const flow = await findFlowOfSubscription(tx, subscriptionId)
  if (flow === undefined) return undefined
  const { id, name, createdBy } = flow
  const shown = onOneLine(name)
  const called = shown === '' ? String(id) : `“${shown}”`
  return { title: { en: `Flow ${called}`, tr: `Akış ${called}` }, path: `${path}/${id}`, audience: [createdBy] }
}

/** Makes the function that finds the flow whose run failed, a removed one too; undefined when the subscription is no flow's. */
export const makeFailedRun = (path: string) => {
  const alertedFlow = makeAlertedFlow(path)
  return async (tx: Tx, subscriptionId: number, runId: number) => {
    const flow = await alertedFlow(tx, subscriptionId)
    if (flow === undefined) return undefined
    return {
      targetId: flow.path.slice(path.length + 1),
      target: { label: flow.title.en, path: flow.path },
      runPath: `${flow.path}/runs/${runId}`,
    }
  }
}
