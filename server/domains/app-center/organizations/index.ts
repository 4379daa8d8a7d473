export { listOwnOrganizations } from './members-store.ts'
export { memberRoutes } from './member-routes.ts'
export { organizationRoutes } from './routes.ts'
