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

/** It becomes part of a subject. */
const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
