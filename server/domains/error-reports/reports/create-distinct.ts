import type { Tx } from '#platform/db/database.ts'
import type { ChangeDeps } from './bucket-store.ts'
import type { CreateReports, Outcome } from './create-reports.ts'
import { holdOpenAlike, holdChannelsAndLock } from './creation-store.ts'
import type { SentReport } from './new-report.ts'
import { renewReports } from './renew-reports.ts'

/**
 * Makes what stores a report of a channel, or renews the open one of the same object and code (contract, section 6). A
 * success is stored like any other, and so resolves what failed before for the object.
 */
export const makeCreateDistinct =
  ({ buckets, clock, createAll }: ChangeDeps & { readonly createAll: CreateReports }) =>
  async (tx: Tx, sent: SentReport): Promise<Outcome | undefined> => {
    await holdChannelsAndLock(tx, sent.channelId === null ? [] : [sent.channelId])
    const held = sent.isOk ? undefined : await holdOpenAlike(tx, sent)
    if (held === undefined) return (await createAll(tx, [sent]))[0]
    const now = clock.now()
    const { targetContentType, targetObjectId, errorDesc, rawRequest, rawResponse } = sent
    const content = { targetContentType, targetObjectId, errorDesc, rawRequest, rawResponse }
    const objModifiedDate = sent.objModifiedDate ?? now
    await renewReports({ tx, buckets, now }, [{ held, content: { ...content, objModifiedDate } }])
    return { kind: 'repeated', report: held }
  }
