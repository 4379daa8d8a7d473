import { Type, type Static } from 'typebox'
import { failureSources } from '#failures/own-failure.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { Body, CheckedElsewhere, Id, Nullable, OneOf, orNull, SentTime, Timestamp } from '#platform/http/schemas.ts'
import { parentOf, placeTypes, type PlaceType } from '../open-reports.ts'
import { ContentTypeId } from './list-store.ts'
import { actionOf, pagesOf, targetOf, type Report } from './report.ts'

export const ErrorCode = Type.String({ maxLength: 128, examples: ['12-Channel-BatchRequest-1763717400'] })
const ErrorDesc = Type.String({ examples: ['ProductIntegrationError'] })
const TargetObjectId = Type.Unsafe<string | number | null>({
  type: ['string', 'integer', 'null'],
  maxLength: 255,
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: ['7'],
})
const TargetContentType = orNull(ContentTypeId)
const Raw = orNull(
  Type.String({
    description:
      'Secrets in it are masked, and it is cut at 64 KiB. Changed to a text that a list has cut, it stays as it is.',
  }),
)
const ShownRaw = Nullable(
  Type.String({
    description:
      'Secrets are masked. Lists have at most the first 4,096 characters, and a last line that says how many bytes more the report itself has.',
  }),
)
const Snapshot = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What is known of the object: `type`, `id`, `label`, `url`. Empty when there is none.',
})

const PageLink = Nullable(
  Type.Object(
    {
      content_type: Type.String({ description: 'What it is about.', examples: ['package'] }),
      id: Type.String({ description: 'Id of the object.', examples: ['7'] }),
      path: Type.String({ description: 'From where the console begins.', examples: ['/packages/7'] }),
    },
    { description: 'A page of the console.' },
  ),
)

const required = {
  action_content_type: ContentTypeId,
  action_object_id: Id,
  obj_modified_date: SentTime({ examples: ['2026-11-21 09:30:00'] }),
}
const optional = {
  target_content_type: Type.Optional(TargetContentType),
  target_object_id: Type.Optional(TargetObjectId),
  is_ok: Type.Optional(Type.Boolean({ description: 'True: a log of success.' })),
  raw_request: Type.Optional(Raw),
  raw_response: Type.Optional(Raw),
}

export const ErrorReport = Type.Object(
  {
    id: Id,
    action_content_type: Type.Integer(),
    action_object_id: Type.Integer(),
    action: Snapshot,
    target_content_type: Nullable(Type.Integer()),
    target_object_id: Nullable(Type.String()),
    target: Snapshot,
    links: Type.Object(
      {
        action: { ...PageLink, description: 'Of what failed.' },
        target: { ...PageLink, description: 'Of whom it was for.' },
      },
      {
        description:
          'Pages of the console about the objects; null where there is none, or the object is not of this server.',
      },
    ),
    obj_modified_date: Timestamp,
    error_code: Type.String({ maxLength: 128 }),
    error_desc: Type.String({ description: 'Masked and cut like `raw_request`.' }),
    is_ok: Type.Boolean({ description: 'Resolved, or a log of success.' }),
    raw_request: ShownRaw,
    raw_response: ShownRaw,
    created_date: Timestamp,
    updated_date: Timestamp,
    channel: Nullable(Type.Integer()),
    group: Nullable(Type.Integer({ description: 'Reports with the same cause. None for a log of success.' })),
    resolved_date: Nullable(Timestamp),
    resolved_by: Nullable(Type.Integer()),
    resolved_how: Nullable(OneOf(['patched', 'retried', 'mapped', 'resolved_all', 'later_success'])),
    source: Nullable(
      OneOf(failureSources, {
        description: 'Of a failure of this server itself: what failed. null of what others report.',
      }),
    ),
    is_retryable: Type.Boolean({
      description:
        'Whether `retry/` would have it tried again now for whoever reads this, as far as is known: it is ours, open, has somewhere to go, and they may.',
    }),
    retry_count: Type.Integer({ description: 'How often somebody had it tried again.' }),
    last_retry_date: Nullable(Timestamp),
  },
  {
    title: 'ErrorReport',
    description: 'A failure, or a success that was logged: what was tried, on which object, and what came of it.',
  },
)

export interface ReportView {
  readonly baseUrl: string
  /** Whether whoever asks can have it tried again here. */
  readonly isRetryable: boolean
}
export const toWire = makeToWire<Report, typeof ErrorReport, [view: ReportView]>(ErrorReport, {
  action: (report, { baseUrl }) => actionOf(report, baseUrl),
  target: (report, { baseUrl }) => targetOf(report, baseUrl),
  links: (report) => pagesOf(report),
  obj_modified_date: 'objModifiedDate',
  channel: 'channelId',
  group: 'groupId',
  is_retryable: (_, { isRetryable }) => isRetryable,
})

export const readOnlyFields = Object.keys(ErrorReport.properties).filter(
  (name) => !Object.hasOwn({ ...required, ...optional }, name) && !name.startsWith('error_'),
)

export const ReportBody = Body(
  { ...required, error_code: ErrorCode, error_desc: ErrorDesc, ...optional },
  readOnlyFields,
  {
    title: 'NewErrorReport',
    description: 'A failure to report, or a success to log.',
    examples: [
      {
        action_content_type: 13,
        action_object_id: 1001,
        obj_modified_date: '2026-11-21 09:30:00',
        error_code: 'order_refused',
        error_desc: 'The platform refused the order.',
        raw_request: 'POST-https://platform.example/orders-{}',
        raw_response: '{"detail": "Out of stock."}',
      },
    ],
  },
)
export type ReportBody = Static<typeof ReportBody>

const Unsaid = (options: object) =>
  Type.Optional(orNull(Type.String({ ...options, description: 'Left out: `custom`.' })))
export const ChannelReportBody = Body(
  { ...required, error_code: Unsaid({ maxLength: 128 }), error_desc: Unsaid({}), ...optional },
  readOnlyFields,
  {
    title: 'NewChannelErrorReport',
    description: 'A failure of a channel to report, or a success to log.',
    examples: [{ action_content_type: 15, action_object_id: 7, obj_modified_date: '2026-11-21 09:30:00' }],
  },
)
export type ChannelReportBody = Static<typeof ChannelReportBody>

const PlaceId = Type.Optional(orNull(Id))
const PlaceBody = Body(
  {
    type: Type.Optional(OneOf(placeTypes)),
    remote_code: Type.Unsafe<string | number>({ type: ['string', 'integer'], minLength: 1, maxLength: 255 }),
    country_id: PlaceId,
    city_id: PlaceId,
    township_id: PlaceId,
    name: Type.Optional(orNull(Type.String({ description: 'Name of the place, as the channel has it.' }))),
    integration_type: Type.Optional(orNull(Type.String({ examples: ['sales_channel'] }))),
    err_code: Unsaid({ maxLength: 128, examples: ['integrations_200_10_2'] }),
    err_desc: Unsaid({}),
  },
  [],
  {
    examples: [
      {
        remote_code: '34-IST',
        country_id: 1,
        city_id: 34,
        township_id: 341,
        integration_type: 'sales_channel',
        err_code: 'integrations_200_10_2',
        err_desc: 'City not found.',
      },
    ],
  },
)
export type PlaceBody = Static<typeof PlaceBody>

/** A place of one type: the fields that only the paths differ in are checked where their errors can say more. */
export const placeBodyOf = (type: PlaceType): typeof PlaceBody => {
  const { type: Word } = PlaceBody.properties
  const parent = parentOf[type]
  const properties = {
    ...PlaceBody.properties,
    type: CheckedElsewhere(Word, { enum: [type] }),
    [parent]: CheckedElsewhere(PlaceBody.properties[parent], { type: 'integer' }),
  }
  const title = `Unmapped${type.replace(/^./, (first) => first.toUpperCase())}`
  const named = { title, description: `A ${type} that a channel named, and that could not be mapped.` }
  return CheckedElsewhere({ ...PlaceBody, properties, ...named }, { required: ['remote_code', parent] })
}

export const ReportPatch = Body(
  {
    action_content_type: Type.Optional(ContentTypeId),
    action_object_id: Type.Optional(Id),
    obj_modified_date: Type.Optional(required.obj_modified_date),
    error_code: Type.Optional(ErrorCode),
    error_desc: Type.Optional(ErrorDesc),
    ...optional,
  },
  readOnlyFields,
  { title: 'ErrorReportPatch', description: 'Changes of a report: any of its fields.', examples: [{ is_ok: true }] },
)
export type ReportPatch = Static<typeof ReportPatch>
