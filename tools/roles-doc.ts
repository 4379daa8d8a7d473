// npm run docs:roles
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolesFile, rolesPage } from './roles-page.ts'

writeFileSync(join(import.meta.dirname, '..', rolesFile), rolesPage())
console.log(`${rolesFile} written`)
