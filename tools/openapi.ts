// npm run openapi
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapiDocument, openapiFile } from './openapi-document.ts'

writeFileSync(join(import.meta.dirname, '..', openapiFile), await openapiDocument())
console.log(`${openapiFile} written`)
