import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileOwnFieldCheck } from '#platform/http/errors/field-errors.ts'
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
      const faults = compileOwnFieldCheck(rules)(data)
      expect(faults === undefined).toBe(fits)
      expect(Object.keys(faults ?? { none: 1 })).not.toEqual([])
      expect(JSON.stringify(data)).toBe(before)
    }),
    tries(60, 2_000),
  )
})
