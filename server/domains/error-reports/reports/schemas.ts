import { Type, type TProperties, type TSchema } from 'typebox'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, Described, errorResponses, Id, IdParams, OptionalBody } from '#platform/http/schemas.ts'
import { read, reopening, write } from '../dependencies.ts'
import type { PlaceType } from '../open-reports.ts'
import { channelList, kindList, reportList } from './list-store.ts'
import {
  ErrorCode,
  ErrorReport,
  readOnlyFields,
  ReportBody,
  ChannelReportBody,
  placeBodyOf,
  ReportPatch,
} from './report-shapes.ts'

const ChannelId = Type.Integer({ ...Id, title: 'ChannelId', description: 'Id of a channel.' })
const ChannelParams = Type.Object({ channel_id: ChannelId })
const ofChannelParams = Type.Object({ ...ChannelParams.properties, ...IdParams.properties })

const route = makeRouteOptions('Error reports', errorResponses)
const list = (operationId: string, summary: string, querystring: typeof reportList.querystring) =>
  route(read(operationId, summary), { querystring, response: { 200: Type.Array(ErrorReport) } })
export const listOptions = list('listErrorReports', 'List error reports', reportList.querystring)
export const kindListOptions = {
  city: list('listCityErrorReports', 'List reports of cities', kindList.querystring),
  township: list('listTownshipErrorReports', 'List reports of townships', kindList.querystring),
  product: list('listProductErrorReports', 'List reports of products', kindList.querystring),
}

export const listOfChannelOptions = route(read('listChannelErrorReports', 'List error reports of a channel'), {
  params: ChannelParams,
  querystring: channelList.querystring,
  response: { 200: Type.Array(ErrorReport) },
})

const created = {
  200: Described('The report that the same body made within the last ten minutes.', ErrorReport),
  201: ErrorReport,
}
export const createOptions = route(
  write(
    'createErrorReport',
    'Report an error, or log a success',
    'The same body within ten minutes is the same report: 200.',
  ),
  {
    body: ReportBody,
    response: created,
  },
)
export const createOfChannelOptions = route(
  write(
    'createChannelErrorReport',
    'Report an error of a channel, or log a success',
    'The target is the channel itself when none is named. A success resolves what failed before for the same object.',
  ),
  { params: ChannelParams, body: ChannelReportBody, response: created },
)
export const createOfPlaceOptions = (type: PlaceType) =>
  route(
    write(
      `createChannel${type[0]?.toUpperCase() ?? ''}${type.slice(1)}ErrorReport`,
      `Report a ${type} that could not be mapped`,
      'Becomes an ordinary report, resolved at once when the place is mapped by now.',
    ),
    { params: ChannelParams, body: placeBodyOf(type), response: created },
  )

export const createDistinctOptions = route(
  write(
    'createDistinctChannelErrorReport',
    'Report an error of a channel once',
    'A report of the same object and code that is open is brought up to date instead of repeated.',
  ),
  {
    params: ChannelParams,
    body: ChannelReportBody,
    response: { 201: Described('Reported; no body.', Type.Null()) },
  },
)

const optionsOfOne = <P extends TSchema>(params: P, name: string, what: string) => ({
  get: route(read(`get${name}`, `Read ${what}`, 'With all that is kept of what was sent and answered.'), {
    params,
    response: { 200: ErrorReport },
  }),
  patch: route(
    reopening(`update${name}`, `Change ${what}`, 'Any of its fields. `is_ok` true resolves it, false opens it again.'),
    { params, body: ReportPatch, response: { 200: Described('Changed; no body.', Type.Null()) } },
  ),
  remove: route(write(`delete${name}`, `Delete ${what}`, 'It is gone; `is_ok` true resolves it instead.'), {
    params,
    response: { 204: Type.Null() },
  }),
})
export const oneOptions = optionsOfOne(IdParams, 'ErrorReport', 'an error report')
export const oneOfChannelOptions = optionsOfOne(ofChannelParams, 'ChannelErrorReport', 'an error report of a channel')

export const retryOptions = route(
  write(
    'retryErrorReport',
    'Try again what failed',
    'Of a failure of this server itself, such as a delivery that ran out of attempts: it goes out again, with a schedule that ' +
      'starts again. Success resolves the report (`resolved_how` is `retried`); another failure renews it. 409 says why it cannot be tried. ' +
      'It takes what it takes where it is done by itself, or is 403: for an order a superuser and `quotations:write`, for an export ' +
      '`quotations:read`, for a delivery to a hook `hooks:write`, to the webhook of a project `projects:write` and to be a developer of it, ' +
      'for the run of a flow a key without limits.',
  ),
  {
    params: IdParams,
    body: OptionalBody({}),
    response: { 202: Described('It is tried, or will be.', ErrorReport) },
  },
)
const fieldPatch = <Fields extends TProperties>(
  operationId: string,
  summary: string,
  fields: Fields,
  example: object,
) =>
  route(write(operationId, summary, 'Without the field nothing changes.'), {
    params: IdParams,
    body: Body(fields, readOnlyFields, { examples: [example] }),
    response: { 200: ErrorReport },
  })
export const objectIdOptions = fieldPatch(
  'updateErrorReportActionObjectId',
  'Change the action object of an error report',
  { action_object_id: Type.Optional(Id) },
  { action_object_id: 1002 },
)
export const errorCodeOptions = fieldPatch(
  'updateErrorReportErrorCode',
  'Change the code of an error report',
  { error_code: Type.Optional(ErrorCode) },
  { error_code: 'order_refused' },
)
