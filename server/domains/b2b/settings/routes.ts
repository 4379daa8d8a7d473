import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Body, errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { initialSettings, settingTable, type SettingName } from './settings.ts'
import { readSettings, saveSettings } from './store.ts'

type Schemas = { [Name in SettingName]: (typeof settingTable)[Name]['schema'] }
const schemas = Object.fromEntries(
  Object.entries(settingTable).map(([name, { schema, initial }]) => [name, { ...schema, examples: [initial] }]),
) as unknown as Schemas

const Settings = Type.Object(schemas, { title: 'Settings', examples: [initialSettings] })
const SettingsChanges = Body(Type.Partial(Type.Object(schemas)).properties, [], {
  title: 'SettingsPatch',
  examples: [{ QUOTATION_VALID_DAYS: 14, QUOTATION_MINIMUM_AMOUNT: '250.00' }],
})

const readSchema = {
  tags: ['Settings'],
  summary: 'Read the settings',
  operationId: 'getSettings',
  response: { 200: Settings, ...errorResponses },
}
const changeSchema = {
  tags: ['Settings'],
  summary: 'Change some settings',
  description: 'They count at once, on every process. Answers all settings.',
  operationId: 'updateSettings',
  body: SettingsChanges,
  response: { 200: Settings, ...errorResponses },
}

const read = { access: { role: 'staff', scope: 'quotations:read' } } as const
const write = { access: { role: 'superuser', scope: 'quotations:write' } } as const

/** What can be set while the server runs (contract, section 7). */
export const settingsRoutes =
  ({ db, clock, ...dependencies }: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/settings', { schema: readSchema, config: read }, async () => readSettings(db))

    app.patch('/api/v1/settings', { schema: changeSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        await saveSettings(tx, request.body, { userId: request.principal.userId, now: clock.now() })
        return { status: 200, body: await readSettings(tx) }
      }),
    )
  }
