// Writes the types of the API for the console (console/src/api/generated/schema.d.ts) from docs/openapi.json, when that
// has changed: npm run console:types. It is called before the console is checked, built or served.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const source = readFileSync(join(root, 'docs/openapi.json'), 'utf8')
const target = join(root, 'console/src/api/generated/schema.d.ts')
const stamp = `// Made by tools/console-types.mjs of docs/openapi.json ${createHash('sha256').update(source).digest('hex')}\n`

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(stamp)) {
  const types = astToString(await openapiTypescript(JSON.parse(source)))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, stamp + types)
}
