// node tools/quotation-states-doc.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quotationStatesFile, quotationStatesPage } from './quotation-states-page.ts'

writeFileSync(join(import.meta.dirname, '..', quotationStatesFile), quotationStatesPage())
console.log(`${quotationStatesFile} written`)
