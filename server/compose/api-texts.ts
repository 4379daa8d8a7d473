import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FieldTexts } from '#platform/http/openapi/fields.ts'

/** Answers of tests by operation and status, recorded with `npm run docs:examples`. */
export type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export const examplesFile = join(import.meta.dirname, 'api-examples.json')

/** Read when the API description is asked for, not at start. */
export const readExamples = (): Examples =>
  existsSync(examplesFile) ? (JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples) : {}

/**
 * What the fields of bodies and answers mean whose schemas do not say it: by name, where the name means this everywhere, else by
 * component and name. The file has them by topic; names with one text stand together. They are in snake case.
 */
export const readFieldTexts = (): FieldTexts => {
  const topics = JSON.parse(readFileSync(join(import.meta.dirname, 'field-texts.json'), 'utf8')) as Record<
    string,
    FieldTexts
  >
  const texts = Object.values(topics).flatMap((topic) => Object.entries(topic))
  return Object.fromEntries(texts.flatMap(([names, text]) => names.split(', ').map((name) => [name, text])))
}
