export { describeTransitions, newStatusProblem, refuseChanges, releaseLifecycles } from './lifecycle.ts'
export { deploymentRoutes } from './routes.ts'
export { Label, projectPath, readOnly } from './schemas.ts'
export { lockDeployment, type Making } from './store.ts'
