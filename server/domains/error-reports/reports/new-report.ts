import { contentTypes } from '#events/content-types.ts'
import { contentHash } from '#platform/crypto/digests.ts'
import { invalidField } from '#platform/errors.ts'
import { notATime, parseTime } from '#platform/time-text.ts'
import { maskSecrets } from '#platform/masking/mask-secrets.ts'
import { parentOf, type PlaceType } from '../open-reports.ts'
import type { OwnFailure } from '#failures/own-failure.ts'
import { keptText } from './raw-texts.ts'
import type { Links, ReportContent } from './report.ts'
import type { ChannelReportBody, PlaceBody, ReportBody } from './report-shapes.ts'

/** A report before it is stored, its raw texts masked and cut. */
export interface NewReport extends Content {
  /** Of everything else, so that the same again is recognized. What is masked is not in it and cannot be guessed from it. */
  readonly bodyHash: string
}

/** A report as somebody sent it. */
export interface SentReport extends NewReport {
  /** Whose success it is, if it is one; absent when nobody sent it. */
  readonly by?: number
}

interface Content extends ReportContent {
  /** Null: the moment of creation. */
  readonly objModifiedDate: Date | null
  /** What a place is called, in a report of one that the channel could not map. */
  readonly place: { readonly placeType: PlaceType; readonly remoteCode: string } | null
}

/** What the client of the channel integrations means when it leaves code or description out. */
const unsaid = 'custom'

/** A report of the back office. @throws AppError 400 when a time is none. */
export const reportOf = (body: ReportBody): NewReport => hashed({ channelId: null, ...contentOf(body) })

/** A report of a channel, which itself is the target when none is named. @throws AppError 400 when a time is none. */
export const channelReportOf = (channelId: number, body: ChannelReportBody): NewReport => {
  const content = contentOf({ ...body, error_code: body.error_code ?? unsaid, error_desc: body.error_desc ?? unsaid })
  const { targetContentType, targetObjectId } = content
  const target = targetContentType === null && targetObjectId === null ? channelAsTarget(channelId) : {}
  return hashed({ channelId, ...content, targetContentType: targetContentType ?? contentTypes.channel, ...target })
}

/**
 * A place that a channel could not map: an ordinary report about the place above it, with the body as its request
 * (contract, section 11). @throws AppError 400 when that place is not named, or the type is not that of the path.
 */
export const placeReportOf = (channelId: number, placeType: PlaceType, body: PlaceBody): NewReport => {
  const parent = body[parentOf[placeType]] ?? undefined
  if (parent === undefined) throw invalidField(parentOf[placeType], 'This field is required.')
  if (body.type !== undefined && body.type !== placeType) throw invalidField('type', `Expected ${placeType}.`)
  return hashed({
    channelId,
    actionContentType: contentTypes[placeType],
    actionObjectId: parent,
    ...channelAsTarget(channelId),
    objModifiedDate: null,
    errorCode: maskedCode(body.err_code ?? unsaid),
    errorDesc: keptText(body.err_desc ?? unsaid),
    isOk: false,
    rawRequest: keptText(JSON.stringify(body)),
    rawResponse: null,
    ...notOwn,
    place: { placeType, remoteCode: String(body.remote_code) },
  })
}

const channelAsTarget = (channelId: number) => ({
  targetContentType: contentTypes.channel,
  targetObjectId: String(channelId),
})

const contentOf = (body: ReportBody): Omit<Content, 'channelId'> => ({
  actionContentType: body.action_content_type,
  actionObjectId: body.action_object_id,
  targetContentType: body.target_content_type ?? null,
  targetObjectId: textOf(body.target_object_id),
  objModifiedDate: modifiedDateOf(body.obj_modified_date),
  errorCode: maskedCode(body.error_code),
  errorDesc: keptText(body.error_desc),
  isOk: body.is_ok ?? false,
  rawRequest: masked(body.raw_request),
  rawResponse: masked(body.raw_response),
  ...notOwn,
  place: null,
})

const notOwn = { source: null, links: null }

/** What a failure of our own says, as it is stored: masked and cut. */
export const ownContentOf = (failure: OwnFailure) => {
  const { action, target } = failure
  return {
    actionContentType: failure.actionContentType,
    targetContentType: failure.targetContentType,
    targetObjectId: failure.targetObjectId,
    objModifiedDate: failure.at,
    errorCode: maskedCode(failure.errorCode),
    errorDesc: keptText(failure.errorDesc),
    rawRequest: masked(failure.rawRequest),
    rawResponse: masked(failure.rawResponse),
    links: JSON.stringify({ action, target } satisfies Links),
  }
}

/** A report of a failure of our own that has none. */
export const ownReportOf = (failure: OwnFailure): NewReport =>
  hashed({
    channelId: null,
    actionObjectId: failure.actionObjectId,
    ...ownContentOf(failure),
    isOk: false,
    source: failure.source,
    place: null,
  })

const hashed = (content: Content): NewReport => ({ ...content, bodyHash: contentHash(JSON.stringify(content)) })

/** `target_object_id` is shown as text, and taken as a number too. */
export const textOf = (id: string | number | null | undefined): string | null =>
  id === null || id === undefined ? null : String(id)

/** @throws AppError 400 when the text is no time. */
export const modifiedDateOf = (text: string): Date => {
  const time = parseTime(text)
  if (time === undefined) throw invalidField('obj_modified_date', notATime)
  return time
}

/** A code as it is stored: masked, and at most 128 characters, as the table has it. */
export const maskedCode = (code: string): string => /^.{0,128}/su.exec(maskSecrets(code))?.[0] ?? ''

export const masked = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : keptText(text)
