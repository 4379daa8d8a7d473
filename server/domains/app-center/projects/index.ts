export { readProjectRecord } from './project-record.ts'
export { projectRoutes } from './routes.ts'
export { ProjectRecord } from './schemas.ts'
export { recordAppStatus, sealedProjects } from './store.ts'
