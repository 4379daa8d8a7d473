import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectProblems } from '#platform/problems.ts'
import { mask } from '#delivery/subscriber/mask.ts'
import { arbitraryChanges, arbitraryObjects, secretMark } from '#testing/data/arbitrary-projects.ts'
import { mergeTree } from './merge.ts'
import { wholeShape } from './project-shape.ts'
import { maskTree, type Patch, type Tree } from './shape.ts'

const merge = (stored: Tree, sent: unknown): Tree => {
  const problems = collectProblems()
  const merged = mergeTree(wholeShape, stored, sent as Patch, { path: '', problems })
  problems.throwIfAny()
  return merged
}
const made = (body: unknown): Tree => merge({}, body)

/** Path → value of everything in a tree that is no object; lists are values. */
const flat = (tree: object, path = ''): Map<string, unknown> =>
  new Map(
    Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? [...flat(value, `${path}${name}.`)]
        : [[`${path}${name}`, value] as const],
    ),
  )

/** What a merge comes to, said another way: each value that is sent takes the place of what is at its path or below. */
const expected = (stored: Tree, sent: object): Map<string, unknown> => {
  const values = flat(stored)
  for (const [path, value] of flat(sent)) {
    for (const other of values.keys()) if (`${other}.`.startsWith(`${path}.`)) values.delete(other)
    if (value !== null) values.set(path, value)
  }
  return values
}
/** The one value that comes by itself, with its object. */
const withoutDefaults = (values: Map<string, unknown>) =>
  Object.fromEntries([...values].filter(([path]) => !path.endsWith('keyInHouse')))

describe('a change of a project, whatever it holds', () => {
  test('sets and removes what it names, and touches nothing else', () => {
    fc.assert(
      fc.property(arbitraryObjects, arbitraryChanges, (body, sent) => {
        const stored = made(body)
        expect(withoutDefaults(flat(merge(stored, sent)))).toEqual(withoutDefaults(expected(stored, sent)))
      }),
    )
  })

  test('changes nothing when it is what was read', () => {
    fc.assert(
      fc.property(arbitraryObjects, (body) => {
        const stored = made(body)
        expect(merge(stored, maskTree(wholeShape, stored))).toEqual(stored)
      }),
    )
  })

  test('comes to the same when it is made twice', () => {
    fc.assert(
      fc.property(arbitraryObjects, arbitraryChanges, (body, sent) => {
        const once = merge(made(body), sent)
        expect(merge(once, sent)).toEqual(once)
      }),
    )
  })

  test('says where the mask keeps nothing, and only there', () => {
    fc.assert(
      fc.property(arbitraryObjects, arbitraryObjects, (body, other) => {
        const stored = made(body)
        const problems = collectProblems()
        const fields: string[] = []
        const add = (field: string): void => void fields.push(field)
        const sent = maskTree(wholeShape, made(other)) as Patch
        mergeTree(wholeShape, stored, sent, { path: '', problems: { ...problems, add } })
        const masked = [...flat(sent)].flatMap(([path, value]) => (value === mask ? [path] : []))
        expect(fields.toSorted()).toEqual(masked.filter((path) => !flat(stored).has(path)).toSorted())
      }),
    )
  })
})

test('no answer holds a secret, and each stored one shows the mask', () => {
  fc.assert(
    fc.property(arbitraryObjects, (body) => {
      const stored = made(body)
      const shown = maskTree(wholeShape, stored)
      expect(JSON.stringify(shown)).not.toContain(secretMark)
      const secrets = [...flat(stored)].filter(([, value]) => typeof value === 'string' && value.startsWith(secretMark))
      expect(secrets.map(([path]) => flat(shown).get(path))).toEqual(secrets.map(() => mask))
      expect(flat(shown).size).toBe(flat(stored).size)
    }),
  )
})

test('keyInHouse is false wherever its object is there and nothing was said of it', () => {
  const stored = made({ storeCredentials: { appleAppStore: { keyId: 'K' } } })
  expect(stored).toEqual({ storeCredentials: { appleAppStore: { keyId: 'K', keyInHouse: false } } })
  const changed = merge(stored, { storeCredentials: { appleAppStore: { keyInHouse: true } } })
  expect(changed).toEqual({ storeCredentials: { appleAppStore: { keyId: 'K', keyInHouse: true } } })
  expect(merge(changed, { storeCredentials: { appleAppStore: { keyInHouse: null } } })).toEqual(stored)
  expect(merge(changed, { storeCredentials: { appleAppStore: null } })).toEqual({ storeCredentials: {} })
})
