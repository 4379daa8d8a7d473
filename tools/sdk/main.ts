// npm run sdk: writes what of sdk/typescript and sdk/python follows from docs/openapi.json.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import '../console-types.mjs'
import { routes, takesIdempotencyKey } from './document.ts'
import { writePython } from './python.ts'
import { writeChanged } from './write-changed.ts'

const root = join(import.meta.dirname, '../..')
const generated = join(root, 'sdk/typescript/src/generated')

const withoutKey = routes.filter((route) => route.method === 'post' && !takesIdempotencyKey(route))
const posts = `// Made of docs/openapi.json by \`npm run sdk\`.

/** Paths of the \`POST\` operations that take no \`Idempotency-Key\`. */
export const postsWithoutKey: ReadonlySet<string> = new Set(${JSON.stringify(
  withoutKey.map(({ path }) => path),
  null,
  2,
)})
`

writeChanged(join(generated, 'schema.d.ts'), readFileSync(join(root, 'console/src/api/generated/schema.d.ts'), 'utf8'))
writeChanged(join(generated, 'posts-without-key.ts'), posts)
writePython(join(root, 'sdk/python/src/waybill'))
