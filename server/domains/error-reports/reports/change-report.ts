import type { Tx } from '#platform/db/database.ts'
import { conflict, invalidField, notFound } from '#platform/errors.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { changeOpenCounts } from '../groups/index.ts'
import { lockReports } from './bucket-store.ts'
import { masked, maskedCode, modifiedDateOf, textOf } from './new-report.ts'
import { haveOpenReports } from './own-failures-store.ts'
import type { Report } from './report.ts'
import type { ReportPatch } from './report-shapes.ts'
import { isShortened } from './raw-texts.ts'
import { holdReport, removeReport, updateReport, type ReportChanges } from './store.ts'

/** Which report; where a channel is named, it has to be one of that channel. */
export interface ReportKey {
  readonly id: number
  readonly channel?: number
}

/** Changes of single reports, each under the lock of all changes and the row's. All throw AppError 404 when there is none. */
export const makeReportChanges = ({ clock }: Pick<SliceDeps, 'clock'>) => ({
  /**
   * Changes the fields that are given, none of which has to be. `is_ok` true resolves, false opens again.
   * @param by user who asks for it. @throws AppError 400 when a time is none, or a report of our own would be about something else.
   */
  async patch(tx: Tx, key: ReportKey, patch: ReportPatch, by: number): Promise<Report> {
    const wanted = changesIn(patch)
    await lockReports(tx)
    const held = ofChannel(await holdReport(tx, key.id), key)
    refuseOtherObjects(held, wanted)
    await refuseSecondOpen(tx, held, wanted)
    const now = clock.now()
    const changes = { ...differing(held, wanted), ...resolution(held, wanted.isOk, { by, now }) }
    if (Object.keys(changes).length === 0) return held
    const report = await updateReport(tx, held, { ...changes, updatedAt: now })
    await countOpen(tx, held, report.isOk, now)
    return report
  },

  async remove(tx: Tx, key: ReportKey): Promise<void> {
    await lockReports(tx)
    const held = ofChannel(await holdReport(tx, key.id), key)
    await removeReport(tx, held.id)
    await countOpen(tx, held, true, clock.now())
  },
})

/** A report that was found. @throws AppError 404 when there is none, or it is not of the channel. */
export const ofChannel = (found: Report | undefined, { channel }: ReportKey): Report => {
  if (found === undefined || (channel !== undefined && found.channelId !== channel)) throw notFound()
  return found
}

/**
 * A report of Waybill's own is tried again by what it is about: with another object somebody could have sent again what is not
 * theirs. @throws AppError 400.
 */
const refuseOtherObjects = (held: Report, wanted: ReportChanges): void => {
  if (held.source === null) return
  for (const [name, field] of Object.entries(objectFields)) {
    const value = wanted[field]
    if (value !== undefined && value !== held[field])
      throw invalidField(name, 'This report was made by the server itself: what it is about does not change.')
  }
}
const objectFields = {
  action_content_type: 'actionContentType',
  action_object_id: 'actionObjectId',
  target_content_type: 'targetContentType',
  target_object_id: 'targetObjectId',
} as const satisfies Record<string, keyof ReportChanges>

/** Of a thing of our own one report is open at most. @throws AppError 409. */
const refuseSecondOpen = async (tx: Tx, { source, actionObjectId, isOk: wasOk }: Report, { isOk }: ReportChanges) => {
  if (source === null || !wasOk || isOk !== false) return
  if (await haveOpenReports(tx, [{ source, actionObjectId }]))
    throw conflict('already_open', 'Another report of the same thing is open. Look at that one.')
}

/** Tells the group of a report that this is open no more, or again. */
const countOpen = async (tx: Tx, { groupId, isOk: wasOk }: Report, isOk: boolean, now: Date): Promise<void> => {
  if (groupId !== null && wasOk !== isOk) await changeOpenCounts(tx, new Map([[groupId, isOk ? -1 : 1]]), now)
}

/** The fields that were sent, as they are stored. */
const changesIn = (patch: ReportPatch): ReportChanges =>
  Object.fromEntries(
    Object.entries({
      actionContentType: patch.action_content_type,
      actionObjectId: patch.action_object_id,
      targetContentType: patch.target_content_type,
      targetObjectId: patch.target_object_id === undefined ? undefined : textOf(patch.target_object_id),
      objModifiedDate: patch.obj_modified_date === undefined ? undefined : modifiedDateOf(patch.obj_modified_date),
      errorCode: patch.error_code === undefined ? undefined : maskedCode(patch.error_code),
      errorDesc: patch.error_desc,
      isOk: patch.is_ok,
      rawRequest: patch.raw_request,
      rawResponse: patch.raw_response,
    }).filter(([, value]) => value !== undefined),
  )

/** Texts that are masked, and cut in lists. */
const texts = new Set(['errorDesc', 'rawRequest', 'rawResponse'])

/**
 * Of the wanted fields those that are something else now. What was read is sent back, and is not masked and cut again; what
 * was read in a list is only the beginning of what is stored, and that stays.
 */
const differing = (held: Report, wanted: ReportChanges): ReportChanges =>
  Object.fromEntries(
    Object.entries(wanted)
      .filter(([name, value]) => !isSame(held[name as keyof Report], value))
      .filter(([name, value]) => !(texts.has(name) && isShortened(value)))
      .map(([name, value]) => [name, texts.has(name) ? masked(value as string | null) : value]),
  )

const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other

const resolution = (
  { isOk: wasOk }: Report,
  isOk: boolean | undefined,
  { by, now }: { readonly by: number; readonly now: Date },
): ReportChanges => {
  if (isOk === undefined || isOk === wasOk) return {}
  return isOk
    ? { resolvedAt: now, resolvedBy: by, resolvedHow: 'patched' }
    : { resolvedAt: null, resolvedBy: null, resolvedHow: null }
}
