import { describe, expect, test } from 'vitest'
import { shareComponents } from './components.ts'
import type { Answer, Document, Operation, Schema } from './document-types.ts'

const Thing: Schema = { title: 'Thing', type: 'object', properties: { id: { type: 'integer' } } }
const answering = (schema: Schema, more: object = {}): Answer => ({
  description: 'It.',
  content: { 'application/json': { schema, ...more } },
})
/** The document of these operations, each at a path of its own. */
const of = (...operations: readonly Operation[]): Document => ({
  paths: Object.fromEntries(operations.map((operation, index) => [`/${index}`, { get: operation }])),
})
const components = (document: Document) => shareComponents(document).components
const operations = (document: Document): unknown[] =>
  Object.values(shareComponents(document).paths ?? {}).map(({ get }) => get)
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

describe('a schema with a title', () => {
  test('is kept once, and referred to wherever it is used', () => {
    const document = of(
      { responses: { 200: answering(Thing) } },
      { responses: { 200: answering({ type: 'array', items: Thing }) } },
      { requestBody: { content: { 'application/json': { schema: { anyOf: [Thing, { type: 'null' }] } } } } },
    )
    expect(components(document)?.['schemas']).toEqual({ Thing })
    expect(operations(document)).toEqual([
      { responses: { 200: answering(ref('schemas', 'Thing')) } },
      { responses: { 200: answering({ type: 'array', items: ref('schemas', 'Thing') }) } },
      {
        requestBody: {
          content: { 'application/json': { schema: { anyOf: [ref('schemas', 'Thing'), { type: 'null' }] } } },
        },
      },
    ])
  })

  test('can be part of another one', () => {
    const Box = { title: 'Box', type: 'object', properties: { things: { type: 'array', items: Thing } } }
    expect(components(of({ responses: { 200: answering(Box) } }))?.['schemas']).toEqual({
      Box: { ...Box, properties: { things: { type: 'array', items: ref('schemas', 'Thing') } } },
      Thing,
    })
  })

  test.each([
    ['items', Thing],
    ['additionalProperties', Thing],
    ['not', Thing],
    ['contains', Thing],
    ['propertyNames', Thing],
    ['anyOf', [Thing]],
    ['oneOf', [Thing]],
    ['allOf', [Thing]],
    ['prefixItems', [Thing]],
    ['properties', { thing: Thing }],
    ['patternProperties', { '^t': Thing }],
  ])('is found under %s', (keyword, value) => {
    const document = of({ responses: { 200: answering({ [keyword]: value }) } })
    expect(components(document)?.['schemas']).toEqual({ Thing })
    expect(JSON.stringify(operations(document))).toContain('{"$ref":"#/components/schemas/Thing"}')
  })

  test('is shared with the webhooks', () => {
    const event = { post: { requestBody: { content: { 'application/json': { schema: Thing } } } } }
    const shared = shareComponents({ ...of({ responses: { 200: answering(Thing) } }), webhooks: { event } })
    expect(shared.components?.['schemas']).toEqual({ Thing })
    expect(shared.webhooks?.['event']?.['post']?.requestBody?.content?.['application/json']).toEqual({
      schema: ref('schemas', 'Thing'),
    })
  })

  test('keeps its examples, also those that the generator took out of it', () => {
    const examples = [{ id: 1 }, { id: 2 }]
    const moved = { example1: { value: { id: 1 } }, example2: { value: { id: 2 } } }
    const document = of(
      { responses: { 200: answering({ type: 'array', items: { ...Thing, examples } }) } },
      { responses: { 200: answering(Thing, { examples: moved }) } },
    )
    expect(components(document)?.['schemas']).toEqual({ Thing: { ...Thing, examples } })
    expect(operations(document)[1]).toEqual({ responses: { 200: answering(ref('schemas', 'Thing')) } })
  })

  test('leaves the example of a body whose schema has its own', () => {
    const document = of({ responses: { 200: answering({ ...Thing, examples: [{ id: 1 }] }, { example: { id: 7 } }) } })
    expect(operations(document)).toEqual([
      { responses: { 200: answering(ref('schemas', 'Thing'), { example: { id: 7 } }) } },
    ])
  })

  test('is not confused with a field or an example that has a title', () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } }, examples: [{ title: 'Thing' }] }
    const document = of({ responses: { 200: answering(schema, { example: { title: 'Thing' } }) } })
    expect(operations(document)).toEqual(Object.values(document.paths ?? {}).map(({ get }) => get))
    expect(components(document)?.['schemas']).toEqual({})
  })
})

test('the example of a body without a name stays beside it', () => {
  const answer = answering({ type: 'object' }, { example: { id: 7 } })
  expect(operations(of({ responses: { 200: answer } }))).toEqual([{ responses: { 200: answer } }])
})

test('two that differ cannot have the same name', () => {
  const twice = (...schemas: Schema[]) => of(...schemas.map((schema) => ({ responses: { 200: answering(schema) } })))
  expect(() => shareComponents(twice(Thing, { ...Thing, required: ['id'] }))).toThrow('schemas of the API')
  const inside = { ...Thing, properties: { id: { type: 'integer', examples: [1] } } }
  expect(() => shareComponents(twice(Thing, inside))).toThrow('are named Thing')
  expect(() => shareComponents(twice(Thing, structuredClone(Thing)))).not.toThrow()
  const errors = [400, 400].map((status, index) => ({
    responses: { [status]: { ...answering(Thing), description: `No. ${index}` } },
  }))
  expect(() => shareComponents(of(...errors))).toThrow('responses of the API description are named Thing400')
})

test('a name is one that a reference and a generated client can have', () => {
  expect(() => shareComponents(of({ responses: { 200: answering({ ...Thing, title: 'A thing' }) } }))).toThrow(
    '"A thing" cannot be the name',
  )
})

test('an error answer with a named schema is a component for its status; others stay where they are', () => {
  const document = of({
    responses: {
      200: answering(Thing),
      404: answering(Thing),
      409: answering(Thing),
      500: answering({ type: 'string' }),
    },
  })
  expect(components(document)?.['responses']).toEqual({
    Thing404: answering(ref('schemas', 'Thing')),
    Thing409: answering(ref('schemas', 'Thing')),
  })
  expect(operations(document)).toEqual([
    {
      responses: {
        200: answering(ref('schemas', 'Thing')),
        404: ref('responses', 'Thing404'),
        409: ref('responses', 'Thing409'),
        500: answering({ type: 'string' }),
      },
    },
  ])
})

test('a parameter whose schema has a title is a component', () => {
  const page = { name: 'page', in: 'query', schema: { title: 'Page', type: 'integer' } }
  const other = { name: 'sku', in: 'query', schema: { type: 'string' } }
  const document = of({ parameters: [page, other] }, { parameters: [page] })
  expect(components(document)?.['parameters']).toEqual({ Page: { ...page, schema: { type: 'integer' } } })
  expect(operations(document)).toEqual([
    { parameters: [ref('parameters', 'Page'), other] },
    { parameters: [ref('parameters', 'Page')] },
  ])
})

test('components that were there stay, and all are in the order of their names', () => {
  const zebraFirst = of({ responses: { 200: answering({ ...Thing, title: 'Zebra' }), 201: answering(Thing) } })
  const shared = components({ ...zebraFirst, components: { securitySchemes: { bearer: {} } } })
  expect(shared?.['securitySchemes']).toEqual({ bearer: {} })
  expect(Object.keys(shared?.['schemas'] ?? {})).toEqual(['Thing', 'Zebra'])
})
