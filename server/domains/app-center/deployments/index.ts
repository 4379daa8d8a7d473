export { createdAtQuery, createdBetween, type CreatedBetween } from './created-at.ts'
export { environments, platforms, type Environment, type Platform } from './deployment.ts'
export {
  describeTransitions,
  newStatusProblem,
  realChanges,
  refuseChanges,
  statuses,
  type Sent,
  type Status,
} from './life-cycle.ts'
export { deploymentRoutes } from './routes.ts'
export { Label, projectPath, readOnly } from './schemas.ts'
export { lockDeployment, type Making, type Order } from './store.ts'
