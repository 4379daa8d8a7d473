import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Dependencies } from '../dependencies.ts'
import type { makeRetryReport } from './retry-report.ts'
import { retrySchema } from './schemas.ts'
import type { ShowReports } from './show-reports.ts'

const config = { access: { role: 'staff', scope: 'error-reports:write' } } as const

/** Trying again what a report says (contract, section 6). */
export const retryRoutes =
  (
    { write }: Pick<Dependencies, 'write'>,
    { retry, show }: { readonly retry: ReturnType<typeof makeRetryReport>; readonly show: ShowReports },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/v1/error_reports/:id/retry', { schema: retrySchema, config }, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { principal: who, id: requestId } = request
        const report = await retry(tx, request.params.id, { who, requestId })
        return { status: 202, body: await show.one(tx, report, who) }
      }),
    )
  }
