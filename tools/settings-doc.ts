// npm run docs:settings
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsFile, settingsPage } from './settings-page.ts'

writeFileSync(join(import.meta.dirname, '..', settingsFile), settingsPage())
console.log(`${settingsFile} written`)
