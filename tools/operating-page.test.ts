import { describe, expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'
import { readDocument, tableOf } from './markdown.ts'

const page = readDocument('docs/operating.md')
const { app } = await makeTestApp()

describe('the page about operating', () => {
  test('names metrics that there are', async () => {
    const metrics = (await app.inject('/metrics')).body
    const listed = tableOf(page, 'Metric', '').map(([name = '']) => name)
    expect(listed.length).toBeGreaterThan(3)
    expect(listed.filter((name) => !metrics.includes(`# TYPE ${name} `))).toEqual([])
  })

  test('names paths that answer without a credential', async () => {
    const paths = tableOf(page, 'Path', 'Answers', 'For').map(([path = '']) => path)
    expect(paths.length).toBe(3)
    for (const path of paths) expect([200, 503]).toContain((await app.inject(path)).statusCode)
  })
})
