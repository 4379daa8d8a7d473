// npm run lint:deps
import { join } from 'node:path'
import { checkDependencies } from './dependencies.ts'

const { violations, unseen, moduleCount } = await checkDependencies(join(import.meta.dirname, '..'))

for (const { rule, from, to } of violations) console.error(`${rule}: ${from}${to === from ? '' : ` → ${to}`}`)
for (const source of unseen) console.error(`not checked at all: ${source}`)
console.log(`${moduleCount} modules, ${violations.length} forbidden imports`)
if (moduleCount === 0 || violations.length + unseen.length > 0) process.exitCode = 1
