import { Type } from 'typebox'
import { Body, errorResponses } from '#platform/http/schemas.ts'
import { initialSettings, settingTable, type SettingName } from './settings.ts'

type Schemas = { [Name in SettingName]: (typeof settingTable)[Name]['schema'] }
const schemas = Object.fromEntries(
  Object.entries(settingTable).map(([name, { schema, initial }]) => [name, { ...schema, examples: [initial] }]),
) as unknown as Schemas

const Settings = Type.Object(schemas, { title: 'Settings', examples: [initialSettings] })
const SettingsChanges = Body(Type.Partial(Type.Object(schemas)).properties, [], {
  title: 'SettingsPatch',
  examples: [{ QUOTATION_VALID_DAYS: 14, QUOTATION_MINIMUM_AMOUNT: '250.00' }],
})

export const readSchema = {
  tags: ['Settings'],
  summary: 'Read the settings',
  operationId: 'getSettings',
  response: { 200: Settings, ...errorResponses },
}
export const changeSchema = {
  tags: ['Settings'],
  summary: 'Change some settings',
  description: 'They count at once, on every process. Answers all settings.',
  operationId: 'updateSettings',
  body: SettingsChanges,
  response: { 200: Settings, ...errorResponses },
}
