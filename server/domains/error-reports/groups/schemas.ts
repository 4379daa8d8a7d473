import { Type, type TProperties } from 'typebox'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import {
  Body,
  errorResponses,
  Id,
  IdParams,
  Nullable,
  OneOf,
  OptionalBody,
  orNull,
  Timestamp,
} from '#platform/http/schemas.ts'
import { read, writeGroup } from '../dependencies.ts'
import { maxDays, shownDays } from './activity-store.ts'
import { groupStates, type Group } from './group.ts'

const State = OneOf(groupStates)

export const GroupRecord = Type.Object(
  {
    id: Id,
    channel: Nullable(Id),
    action_content_type: Type.Integer(),
    title: Type.String({ description: 'The beginning of the `error_desc` of the first failure.' }),
    code_pattern: Type.String({ description: 'The error code without what changes from failure to failure.' }),
    state: State,
    assignee: Nullable(Id),
    note: Type.String(),
    count: Type.Integer({ description: 'Failures ever.' }),
    open_count: Type.Integer({ description: 'Reports that are open.' }),
    activity: Type.Array(Type.Integer(), {
      description: `Failures on each of the last ${shownDays} days (UTC), oldest first; the last is today.`,
    }),
    first_seen: Timestamp,
    last_seen: Timestamp,
    resolved_date: Nullable(Timestamp),
    resolved_by: Nullable(Id),
    regressed_date: Nullable({ ...Timestamp, description: 'When a failure last came after it had been resolved.' }),
    algorithm: Type.Integer({ description: 'Version of the rule that put the reports together.' }),
  },
  { title: 'ErrorReportGroup', description: 'Reports of one cause.' },
)

export type ShownGroup = Group & { readonly activity: readonly number[] }
export const toWire = makeToWire<ShownGroup, typeof GroupRecord>(GroupRecord, {
  channel: 'channelId',
  first_seen: 'firstSeenAt',
  last_seen: 'lastSeenAt',
})

const readOnly = Object.keys(GroupRecord.properties).filter((name) => !['state', 'assignee', 'note'].includes(name))
export const GroupPatch = Body(
  {
    state: Type.Optional(State),
    assignee: Type.Optional(orNull(Id)),
    note: Type.Optional(Type.String({ maxLength: 10_000 })),
  },
  readOnly,
  {
    title: 'ErrorReportGroupPatch',
    description: 'Changes of a group; what is left out stays.',
    examples: [{ state: 'resolved', note: 'The price list was missing.' }],
  },
)

const Total = Type.Integer({ description: 'Open reports of the group when it was asked for.' })
const Status = OneOf(['dry_run', 'done', 'in_progress'], {
  description: '`in_progress`: there are many, and a job works on them.',
})
const querystring = Type.Object({
  dry_run: Type.Boolean({ default: false, description: 'Say how many there are, and change none.' }),
})
const NoBody = OptionalBody({})

export const route = makeRouteOptions('Error report groups', errorResponses)
export const update = writeGroup(
  'updateErrorReportGroup',
  'Resolve, ignore, reopen, assign or annotate a group',
  'A group that is resolved is opened again by the next failure with its cause, also by one that was reported before in the same words; then `regressed_date` says when. One that is ignored stays so. Its reports stay as they are.',
)
export const occurrencesOptions = route(
  read('listErrorReportGroupOccurrences', 'How often a group happened on each day'),
  {
    params: IdParams,
    querystring: Type.Object({
      days: Type.Integer({
        minimum: 1,
        maximum: maxDays,
        default: shownDays,
        description: 'How many days, up to today.',
      }),
    }),
    response: {
      200: Type.Object(
        {
          days: Type.Array(
            Type.Object({
              date: Type.String({ format: 'date', description: 'A day in UTC.' }),
              count: Type.Integer({ description: 'Failures of that day.' }),
            }),
            { description: 'Each day once, the oldest first.' },
          ),
        },
        { title: 'ErrorReportGroupOccurrences', description: 'How often a group happened lately.' },
      ),
    },
  },
)
const all = <Counts extends TProperties>(counts: Counts) => ({
  params: IdParams,
  querystring,
  body: NoBody,
  response: { 200: Type.Object({ status: Status, total: Total, ...counts }) },
})
export const resolveAllOptions = route(
  writeGroup('resolveAllOfErrorReportGroup', 'Resolve a group and all its open reports'),
  all({
    resolved: Type.Integer({ description: 'By this request itself.' }),
    undo: Nullable({
      ...Id,
      description: 'What `error_reports/reopen/` takes to open them again; null when there were none.',
    }),
  }),
)
export const retryAllOptions = route(
  writeGroup(
    'retryAllOfErrorReportGroup',
    'Retry all open reports of a group',
    'Those that can be tried, and that the caller may have tried. Of `in_progress`, and of a dry run of more than 1,000, all counts but `total` are 0.',
  ),
  all({
    started: Type.Integer({ description: 'Tried again by this server; of a dry run, those that would be.' }),
    not_retryable: Type.Integer({
      description:
        'Failures of others, which only they can try again, and those of ours that cannot be tried any more, or not now.',
    }),
    not_allowed: Type.Integer({
      description:
        'Failures of ours that whoever asks may not have tried again: that takes the rights that it takes where it is done by itself.',
    }),
  }),
)
