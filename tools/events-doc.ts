// npm run docs:events
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventsFile, eventsPage } from './events-page.ts'

writeFileSync(join(import.meta.dirname, '..', eventsFile), eventsPage())
console.log(`${eventsFile} written`)
