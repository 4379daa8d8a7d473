/** Roles of organization members, each with all the rights of those after it (contract, section 2). */
export const roles = ['owner', 'admin', 'developer', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Whether `role` has the rights of `least`. */
export const includes = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least)

/**
 * Id of an operation → the least role that may call it. The one place that says so: routes take their rule from here.
 * Making an organization and listing one's own need no membership, so they are not here.
 */
export const permissions = {
  getOrganization: 'viewer',
  updateOrganization: 'admin',
  deleteOrganization: 'owner',

  listMembers: 'viewer',
  addMember: 'admin',
  getMember: 'viewer',
  updateMember: 'admin',
  // Anybody may leave; removing others takes an admin, which the use case checks.
  removeMember: 'viewer',

  listProjects: 'viewer',
  createProject: 'developer',
  getProject: 'viewer',
  updateProject: 'developer',

  listProjectWebhooks: 'viewer',
  createProjectWebhook: 'developer',
  getProjectWebhook: 'viewer',
  updateProjectWebhook: 'developer',
  deleteProjectWebhook: 'developer',
  getProjectWebhookSecret: 'admin',
  rotateProjectWebhookSecret: 'admin',
  revokePreviousProjectWebhookSecret: 'admin',
  pingProjectWebhook: 'developer',
  listProjectWebhookDeliveries: 'viewer',
  getProjectWebhookDelivery: 'viewer',
  explainProjectWebhookDelivery: 'viewer',
  retryProjectWebhookDelivery: 'developer',
  getProjectWebhookHealth: 'viewer',
  listProjectWebhookHealthChanges: 'viewer',
  getProjectWebhookActivity: 'viewer',
  recoverProjectWebhook: 'developer',

  listDeployments: 'viewer',
  createDeployment: 'developer',
  getDeployment: 'viewer',
  updateDeployment: 'developer',

  listDistributions: 'viewer',
  createDistribution: 'developer',
  getDistribution: 'viewer',
  updateDistribution: 'developer',
} as const satisfies Readonly<Record<string, Role>>

export type Operation = keyof typeof permissions
