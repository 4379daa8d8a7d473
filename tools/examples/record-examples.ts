// npm run docs:examples: runs the tests of the API, and keeps an answer of each operation as the example of the API description.
// What is kept already stays: remove what is old from the file, and run it again.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { examplesFile, readExamples, type Examples } from '../../server/compose/api-texts.ts'
import type { RecordedAnswer } from '#testing/record-answers.ts'
import { run } from '../run.ts'

const directory = mkdtempSync(join(tmpdir(), 'waybill-answers-'))

/** The values that an answer has, by their paths; those of all items of a list have the same path. */
const pathsOf = (value: unknown, path = ''): string[] => {
  if (value === null || value === '') return []
  if (typeof value !== 'object') return [path]
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([name, child]) => pathsOf(child, isList ? `${path}[]` : `${path}.${name}`))
}

/** Texts of every writing there is say little to a reader, and references would be looked up in the API description. */
const unfit = /[^\u0000-\u024f–—…×‘’“”−]|"\$ref"/u

/** The answer that shows the most fields; the shortest of these. */
const bestOf = (answers: readonly RecordedAnswer[]): unknown => {
  const readable = answers.filter(({ body }) => !unfit.test(JSON.stringify(body)))
  const rated = readable.map(({ body }) => ({
    body,
    fields: new Set(pathsOf(body)).size,
    length: JSON.stringify(body).length,
  }))
  return rated.toSorted((one, other) => other.fields - one.fields || one.length - other.length)[0]?.body
}

const secretNames = /^(key|secret|access_token|refresh_token|csrf_token)$/

/** Without what opens anything, and with the first record of a list. */
const shown = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') {
    if (secretNames.test(name) && !value.startsWith('*')) return `${/^[a-z]+_/.exec(value)?.[0] ?? ''}…`
    return value.replaceAll(/(signature|token)=[\w-]+/g, '$1=…')
  }
  if (Array.isArray(value)) return value.map((item) => shown(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, child]) => [field, shown(child, field)]))
}
const shortened = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.slice(0, 1)
  if (typeof body !== 'object' || body === null || !('results' in body)) return body
  return { ...body, results: (body.results as readonly unknown[]).slice(0, 1) }
}

const readAnswers = (): RecordedAnswer[] =>
  readdirSync(directory).flatMap((file) =>
    readFileSync(join(directory, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RecordedAnswer),
  )

const byOperation = (answers: readonly RecordedAnswer[]): Examples => {
  const operations = Map.groupBy(
    answers.toSorted((one, other) => one.operationId.localeCompare(other.operationId) || one.status - other.status),
    ({ operationId }) => operationId,
  )
  return Object.fromEntries(
    [...operations].map(([operationId, all]) => [
      operationId,
      Object.fromEntries(
        [...Map.groupBy(all, ({ status }) => String(status))].map(([status, some]) => [
          status,
          shown(bestOf(some.map((answer) => ({ ...answer, body: shortened(answer.body) })))),
        ]),
      ),
    ]),
  )
}
try {
  const { isOk } = await run('vitest', ['run', '--project', 'postgres', ...process.argv.slice(2)], {
    env: { RECORD_ANSWERS: directory },
  })
  if (!isOk) throw new Error('Tests failed, so their answers are no examples.')
  const kept = readExamples()
  const recorded = byOperation(readAnswers())
  const examples = Object.fromEntries(
    [...new Set([...Object.keys(recorded), ...Object.keys(kept)])]
      .toSorted()
      .map((operationId) => [operationId, { ...recorded[operationId], ...kept[operationId] }]),
  )
  const { code } = await format(examplesFile, JSON.stringify(examples), { printWidth: 120 })
  writeFileSync(examplesFile, code)
  console.log(`${examplesFile} has examples of ${Object.keys(examples).length} operations.`)
} finally {
  rmSync(directory, { recursive: true })
}
