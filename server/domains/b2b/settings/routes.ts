import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Dependencies } from '../dependencies.ts'
import { changeSchema, readSchema } from './schemas.ts'
import { readSettings, saveSettings } from './store.ts'

const read = { access: { role: 'staff', scope: 'quotations:read' } } as const
const write = { access: { role: 'superuser', scope: 'quotations:write' } } as const

/** What can be set while the server runs (contract, section 7). */
export const settingsRoutes =
  ({ db, clock, ...dependencies }: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/settings', { schema: readSchema, config: read }, async () => readSettings(db))

    app.patch('/api/v1/settings', { schema: changeSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        await saveSettings(tx, request.body, { userId: request.principal.userId, now: clock.now() })
        return { status: 200, body: await readSettings(tx) }
      }),
    )
  }
