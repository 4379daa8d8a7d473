import { describe, expect, test } from 'vitest'
import { verdicts } from '#delivery/explain/explanation.ts'
import { defaultPerSecond } from '#delivery/redelivery/redelivery-requests.ts'
import { readDocument, tableOf } from './markdown.ts'

const page = readDocument('docs/delivery.md')
const { paths } = JSON.parse(readDocument('docs/openapi.json')) as { paths: Record<string, object> }

describe('the page about delivery', () => {
  test('lists every verdict of an explanation, in its order', () => {
    const listed = tableOf(page, 'verdict', 'Means').flatMap(([names = '']) => names.replaceAll('`', '').split(', '))
    expect(listed).toEqual(verdicts)
  })

  test('names only requests that there are', () => {
    const named = [...page.matchAll(/`(GET|POST) (\/whisperer\/[^`?]*?)\/?(?:\?[^`]*)?`/g)].map(
      ([, method = '', path = '']) => [method.toLowerCase(), path] as const,
    )
    expect(named.length).toBeGreaterThan(10)
    const unknown = named.filter(([method, path]) => !Object.hasOwn(paths[path] ?? {}, method))
    expect(unknown).toEqual([])
  })

  test('says how many a second are sent again unless somebody says otherwise', () => {
    expect(page).toContain(`(1 to 10,000; ${defaultPerSecond} unless given)`)
  })
})
