import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { Body, errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { initialSettings, settingTable, type SettingName } from './settings.ts'
import { readSettings, saveSettings } from './store.ts'

type Schemas = { [Name in SettingName]: (typeof settingTable)[Name]['schema'] }
const schemas = Object.fromEntries(
  Object.entries(settingTable).map(([name, { schema, initial }]) => [name, { ...schema, examples: [initial] }]),
) as unknown as Schemas

const Settings = Type.Object(schemas, {
  title: 'Settings',
  description: 'How quotations work in this installation.',
  examples: [initialSettings],
})
const SettingsChanges = Body(Type.Partial(Type.Object(schemas)).properties, [], {
  title: 'SettingsPatch',
  description: 'Settings to change; what is left out stays.',
  examples: [{ QUOTATION_VALID_DAYS: 14, QUOTATION_MINIMUM_AMOUNT: '250.00' }],
})

const route = makeRouteOptions('Settings', errorResponses)
const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const write = operationsFor({ access: { role: 'superuser', scope: 'quotations:write' }, audited: true })
const readOptions = route(read('getSettings', 'Read the settings', 'All of them, also those that nobody has set.'), {
  response: { 200: Settings },
})
const changeOptions = route(
  write('updateSettings', 'Change some settings', 'They count at once, on every process. Answers all settings.'),
  { body: SettingsChanges, response: { 200: Settings } },
)

/** What can be set while the server runs (contract, section 7). */
export const settingsRoutes =
  ({ db, clock, ...dependencies }: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/settings', readOptions, async () => readSettings(db))

    app.patch('/api/v1/settings', changeOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        request.auditedBefore = await readSettings(tx)
        await saveSettings(tx, request.body, { userId: request.principal.userId, now: clock.now() })
        return { status: 200, body: await readSettings(tx) }
      }),
    )
  }
