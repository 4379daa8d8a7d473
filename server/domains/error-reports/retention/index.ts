export { makeRetention, type RetentionDeps } from './remove-old.ts'
