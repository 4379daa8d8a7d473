export { makeActOnAll } from './act-on-all.ts'
export { assignGroups } from './assign-groups.ts'
export { groupRoutes } from './routes.ts'
export { changeOpenCounts, removeOldGroups } from './store.ts'
