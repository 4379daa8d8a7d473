import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#platform/errors.ts'
import type { Answer } from '#platform/http/idempotency.ts'
import { acceptQuotedTexts } from '#platform/http/json-body.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { placeTypes } from '../open-reports.ts'
import { makeCreateDistinct } from './renew-reports.ts'
import { makeCreateReport, makeCreateReports, type Outcome } from './create-reports.ts'
import { channelReportOf, placeReportOf, reportOf, type NewReport, type SentReport } from './new-report.ts'
import { toWire } from './report-shapes.ts'
import { createDistinctOptions, createOfChannelOptions, createOfPlaceOptions, createOptions } from './schemas.ts'

/** Creation of reports, by the back office and by channels (contract, section 6). */
export const creationRoutes =
  ({ db, clock, baseUrl, write: writeOnce }: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    acceptQuotedTexts(app)
    const createAll = makeCreateReports({ clock })
    const createOne = makeCreateReport(db, createAll)
    const createDistinct = makeCreateDistinct({ clock, createAll })

    const answer = (outcome: Outcome | undefined): Answer => {
      if (outcome === undefined || outcome.kind === 'no_channel') throw notFound()
      const body = toWire(outcome.report, { baseUrl: baseUrl(), isRetryable: false })
      return { status: outcome.kind === 'created' ? 201 : 200, body }
    }
    /** Many at once are written at once. One with an Idempotency-Key is written with that, by itself. */
    const create = async (request: FastifyRequest, reply: FastifyReply, report: NewReport): Promise<FastifyReply> => {
      const sent: SentReport = { ...report, by: request.principal.userId }
      if (request.headers['idempotency-key'] !== undefined)
        return writeOnce(request, reply, async (tx) => answer((await createAll(tx, [sent]))[0]))
      const { status, body } = answer(await createOne(sent))
      return reply.code(status).send(body)
    }

    app.post('/api/v1/error_reports', createOptions, async (request, reply) =>
      create(request, reply, reportOf(request.body)),
    )
    const ofChannel = '/api/v1/channel/:channel_id/error_reports'
    app.post(ofChannel, createOfChannelOptions, async (request, reply) =>
      create(request, reply, channelReportOf(request.params.channel_id, request.body)),
    )
    app.post(`${ofChannel}/distinct`, createDistinctOptions, async (request, reply) =>
      writeOnce(request, reply, async (tx) => {
        const report = channelReportOf(request.params.channel_id, request.body)
        answer(await createDistinct(tx, { ...report, by: request.principal.userId }))
        return { status: 201 }
      }),
    )
    for (const type of placeTypes) {
      app.post(`${ofChannel}/${type}`, createOfPlaceOptions(type), async (request, reply) =>
        create(request, reply, placeReportOf(request.params.channel_id, type, request.body)),
      )
    }
  }
