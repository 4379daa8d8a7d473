// node tools/states-doc.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quotationStatesFile, quotationStatesPage } from './quotation-states-page.ts'
import { statesFile, statesPage } from './states-page.ts'

for (const [file, page] of [
  [statesFile, statesPage()],
  [quotationStatesFile, quotationStatesPage()],
] as const) {
  writeFileSync(join(import.meta.dirname, '..', file), page)
  console.log(`${file} written`)
}
