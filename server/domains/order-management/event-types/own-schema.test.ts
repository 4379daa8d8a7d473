import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileOwnSchema } from '#platform/http/own-schemas.ts'
import { tries } from '#testing/is-everything-wanted.ts'

const names = ['a', 'b', 'c']
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<object>(
      {},
      { type: 'null' },
      { type: ['string', 'null'] },
      { const: 1 },
      { enum: ['x', null] },
      { type: 'integer', minimum: 0 },
      { type: 'string', minLength: 1, pattern: '^x' },
      { if: { type: 'string' }, else: false },
      { unevaluatedProperties: false },
    ),
    fc.record(
      {
        type: fc.constantFrom('object', 'array', 'string'),
        properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(fc.constantFrom(...names)),
        additionalProperties: fc.boolean(),
        items: tie('schema'),
        not: tie('schema'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        dependentRequired: fc.constant({ a: ['b'] }),
        default: fc.constant({ a: 1 }),
      },
      { requiredKeys: [] },
    ),
  ),
}))
const values = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(fc.constantFrom<unknown>(null, 1, -1, 1.5, '', 'x', 'y', true), fc.jsonValue({ maxDepth: 3 })),
  { noNullPrototype: true },
)

test('data fits a schema exactly when ajv says so, a fault is always named, and nothing is changed', () => {
  fc.assert(
    fc.property(schema, values, (rules, data) => {
      const before = JSON.stringify(data)
      const fits = new Ajv2020({ strict: false, logger: false }).compile(rules)(data)
      const faults = compileOwnSchema(rules).check(data)
      expect(faults === undefined).toBe(fits)
      expect(Object.keys(faults ?? { none: 1 })).not.toEqual([])
      expect(JSON.stringify(data)).toBe(before)
    }),
    tries(60, 2_000),
  )
})

test('a schema can refer to itself, by its $id too, and another one can have the same $id', () => {
  const id = 'https://schemas.example/tree'
  const tree = (ref: string, type: string) => ({
    $id: id,
    properties: { name: { type }, children: { items: { $ref: ref } } },
  })
  const { $id: _, ...unnamed } = tree('#', 'string')
  for (const rules of [unnamed, tree('#', 'string'), tree(id, 'string'), tree('tree', 'string')]) {
    const { check } = compileOwnSchema(rules)
    expect(check({ children: [{ name: 'a', children: [{ name: 'b' }] }] })).toBeUndefined()
    expect(check({ children: [{ children: [{ name: 1 }] }] })).toEqual({
      'children.0.children.0.name': ['Expected a string.'],
    })
  }
  expect(compileOwnSchema(tree('#', 'integer')).check({ children: [{ name: 1 }] })).toBeUndefined()
})

test.each([
  '#/constructor',
  '#/%63onstructor',
  '#/__proto__',
  '#/constructor/prototype',
  '#/$defs/toString',
  '#/allOf/length',
  '#/allOf/__proto__',
  '#/required',
  '#/title',
  '#none',
  'constructor',
  'toString#/$defs',
  'https://json-schema.org/draft/2020-12/schema',
])('a reference to %s leads to no schema', ($ref) => {
  const rules = { title: 'a', required: [], allOf: [{}], $defs: { a: {} }, properties: { a: { $ref } } }
  expect(() => compileOwnSchema(rules)).toThrow('resolve reference')
})

test('names that every object has can be those of schemas', () => {
  const rules = JSON.parse(
    '{"$defs": {"constructor": {"type": "string"}, "__proto__": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/constructor"}, "b": {"$ref": "#/$defs/__proto__"}}}',
  )
  expect(compileOwnSchema(rules).check({ a: 1, b: 1.5 })).toEqual({
    a: ['Expected a string.'],
    b: ['Expected an integer.'],
  })
})
