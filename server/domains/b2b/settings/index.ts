export { settingsRoutes } from './routes.ts'
export type { ItemExportField, Settings } from './settings.ts'
export { readSettings } from './store.ts'
