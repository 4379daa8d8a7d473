export { settingsRoutes } from './routes.ts'
export { itemExportFields, type ItemExportField, type Settings } from './settings.ts'
export { readSettings } from './store.ts'
