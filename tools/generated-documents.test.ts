import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsFile, eventsPage } from './events-page.ts'
import { openapiDocument, openapiFile } from './openapi-document.ts'
import { quotationStatesFile, quotationStatesPage } from './quotation-states-page.ts'
import { rolesFile, rolesPage } from './roles-page.ts'
import { settingsFile, settingsPage } from './settings-page.ts'
import { statesFile, statesPage } from './states-page.ts'

const committed = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8')

test(`${openapiFile} is what the routes say`, async () => {
  const difference = firstDifference(committed(openapiFile), await openapiDocument())
  expect(difference, `${openapiFile} is old: run npm run openapi`).toBeUndefined()
})

test(`${eventsFile} is what the catalogue says`, () => {
  const difference = firstDifference(committed(eventsFile), eventsPage())
  expect(difference, `${eventsFile} is old: run npm run docs:events`).toBeUndefined()
})

test(`${rolesFile} is what the permissions and the API description say`, () => {
  const difference = firstDifference(committed(rolesFile), rolesPage())
  expect(difference, `${rolesFile} is old: run npm run openapi and then npm run docs:roles`).toBeUndefined()
})

test(`${quotationStatesFile} is what the table of transitions says`, () => {
  const difference = firstDifference(committed(quotationStatesFile), quotationStatesPage())
  expect(difference, `${quotationStatesFile} is old: run npm run docs:quotations`).toBeUndefined()
})

test(`${statesFile} is what the tables of the life cycles say`, () => {
  const difference = firstDifference(committed(statesFile), statesPage())
  expect(difference, `${statesFile} is old: run npm run docs:states`).toBeUndefined()
})

test(`${settingsFile} is what the configuration says`, () => {
  const difference = firstDifference(committed(settingsFile), settingsPage())
  expect(difference, `${settingsFile} is old: run npm run docs:settings`).toBeUndefined()
})

/** Only the first line that differs: all of them would be thousands. */
const firstDifference = (old: string, current: string): object | undefined => {
  if (old === current) return undefined
  const [committedLines, currentLines] = [old.split('\n'), current.split('\n')]
  const longer = committedLines.length > currentLines.length ? committedLines : currentLines
  const at = longer.findIndex((_, index) => committedLines[index] !== currentLines[index])
  return { line: at + 1, committed: committedLines[at], current: currentLines[at] }
}
