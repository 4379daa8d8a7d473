import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Answers of tests by operation and status, recorded with `npm run docs:examples`. */
export type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export const examplesFile = join(import.meta.dirname, 'api-examples.json')

/** Read when the API description is asked for, not at start. */
export const readExamples = (): Examples =>
  existsSync(examplesFile) ? (JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples) : {}
