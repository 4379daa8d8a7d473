export { changing, guardMembers, makeMemberWrite, reading } from './access-routes.ts'
export { objectIdOf, type Member } from './member.ts'
export { sendableScopes } from './place-store.ts'
export { includes, permissions, roles, type Operation, type Role } from './permissions.ts'
