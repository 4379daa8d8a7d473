export { maskRaw } from './mask-raw.ts'
