// For the page that says what each role may do.
export { includes, permissions, roles, type Operation } from '#domains/app-center/access/index.ts'
