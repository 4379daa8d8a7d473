import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { packageLifecycle, transferLifecycle } from '../server/compose/for-pages.ts'
import { openapiFile } from './openapi-document.ts'
import { codeBlocks, projectRoot, readDocument, tableOf } from './markdown.ts'

const page = readDocument('docs/errors.md')
const [fields, rule, other] = codeBlocks(page).map(({ text }) => JSON.parse(text) as unknown)
const app = await makeTestApp()
const { call } = app
const { packageIn } = makeFulfilment(app)

describe('the page about errors', () => {
  test('shows fields that are not valid as they are answered', async () => {
    const answer = await call('POST', '/api/v1/packages/', { items: [{ sku: 'CHAIR', quantity: 0 }] })
    expect(answer.json()).toEqual(fields)
  })

  test('shows a broken rule as it is answered', async () => {
    const { id } = await packageIn('created')
    const answer = await call('POST', `/api/v1/packages/${id}/pack/`)
    expect(answer.json()).toEqual(rule)
  })

  test('shows everything else as it is answered', async () => {
    expect((await call('GET', '/api/v1/packages/999999/')).json()).toEqual(other)
  })

  test('lists every code that stands in the answers, and no other', () => {
    const listed = tableOf(page, 'Code', 'Status', 'Means').map(([code = '', status = '']) => `${code} ${status}`)
    expect(listed.toSorted()).toEqual([...codesInSource()].toSorted())
  })
})

test('the API description has the codes of the pages about errors and about the states of quotations, and no others', () => {
  const { components } = JSON.parse(readDocument(openapiFile)) as {
    components: { schemas: { ErrorCode: { enum: string[] } } }
  }
  const rules = tableOf(page, 'Code', 'Status', 'Means').filter(([, status]) => status !== '406')
  const reasons = tableOf(readDocument('docs/quotation-states.md'), 'Code', 'Says')
  const codes = new Set([...rules, ...reasons].map(([code]) => code))
  expect(new Set(components.schemas.ErrorCode.enum)).toEqual(codes)
})

/**
 * `code status` of every error whose shape has a code: rules (400), conflicts (409), refusals of hooks (406), bodies that cannot be read, and the
 * conditions of life cycles (400). Those of quotations are on the page of their states.
 */
const codesInSource = (): Set<string> => {
  const files = globSync('server/**/*.ts', { cwd: projectRoot }).filter((file) => !/\.test\.ts$|testing\//.test(file))
  const source = files.map((file) => readFileSync(join(projectRoot, file), 'utf8')).join('\n')
  const found = source.matchAll(
    /(?:ruleBroken|conflict|new AppError|refuseUnlessRemoved)\((?:[^;\n]+, )?\s*'(\w+)',(?:\s*(\d+),)?/g,
  )
  const isConflict = (whole: string): boolean => whole.startsWith('conflict')
  const codes = [...found].map(([whole, code = '', status]) => ({
    code,
    status: status ?? (isConflict(whole) ? '409' : '400'),
  }))
  // Field errors have no code.
  const shown = codes.filter(({ code, status }) => /^40[069]$/.test(status) && code !== 'invalid')
  const conditions = [packageLifecycle, transferLifecycle].flatMap((lifecycle) => Object.keys(lifecycle.conditions))
  return new Set([...shown.map(({ code, status }) => `${code} ${status}`), ...conditions.map((code) => `${code} 400`)])
}
