import { isDeepStrictEqual } from 'node:util'
import {
  mapOperations,
  mapValues,
  type Answer,
  type Content,
  type Document,
  type Media,
  type Operation,
  type Parameter,
  type Reference,
  type Schema,
} from './document-types.ts'

/**
 * Moves what has a name into `components` and leaves references, so that the document says everything once and
 * generators of clients have names for it. The name is the `title` of a schema, wherever it is used:
 * - a schema becomes `schemas/<title>`,
 * - a parameter whose schema has a title becomes `parameters/<title>`,
 * - an error answer that is such a schema becomes `responses/<title><status>`.
 * @throws Error when two that differ have the same name.
 */
export const shareComponents = (document: Document): Document => {
  const shelves = {
    schemas: makeShelf('schemas'),
    responses: makeShelf('responses'),
    parameters: makeShelf('parameters'),
  }
  const share = sharing(shelves)
  const { paths = {}, webhooks = {} } = document
  const shared = { paths: mapOperations(paths, share), webhooks: mapOperations(webhooks, share) }
  const components = { ...document.components, ...mapValues(shelves, (shelf) => shelf.all()) }
  return { ...document, ...shared, components }
}

interface Shelf {
  readonly put: (name: string, value: object) => Reference
  readonly all: () => Readonly<Record<string, object>>
}
type Shelves = Readonly<Record<'schemas' | 'responses' | 'parameters', Shelf>>

/** Components of one kind, by name. */
const makeShelf = (kind: keyof Shelves): Shelf => {
  const kept = new Map<string, object>()
  return {
    put: (name, value) => {
      if (!/^\w+$/.test(name)) throw new Error(`"${name}" cannot be the name of a component: only letters and digits.`)
      const other = kept.get(name)
      if (other !== undefined && !isDeepStrictEqual(other, value))
        throw new Error(
          `Two different ${kind} of the API description are named ${name}:\n${JSON.stringify(other)}\n${JSON.stringify(value)}`,
        )
      kept.set(name, value)
      return { $ref: `#/components/${kind}/${name}` }
    },
    all: () => Object.fromEntries([...kept].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}

const sharing = ({ schemas, responses, parameters }: Shelves) => {
  const ofSchema = (schema: Schema): Schema => {
    const inside = mapSubschemas(schema, ofSchema)
    return schema.title === undefined ? inside : schemas.put(schema.title, inside)
  }
  const ofMedia = (media: Media): Media => {
    const { schema, ...rest } = withExamplesInside(media)
    return schema === undefined ? media : { schema: ofSchema(schema), ...rest }
  }
  const ofContent = (content: Content): Content => mapValues(content, ofMedia)
  const ofParameter = (parameter: Parameter): Parameter | Reference => {
    if (parameter.schema === undefined) return parameter
    const { title, ...schema } = parameter.schema
    const changed = { ...parameter, schema: mapSubschemas(schema, ofSchema) }
    return title === undefined ? changed : parameters.put(title, changed)
  }
  const ofAnswer = (answer: Answer, status: string): Answer | Reference => {
    if (answer.content === undefined) return answer
    const changed = { ...answer, content: ofContent(answer.content) }
    const [name, ...others] = Object.values(answer.content).map(({ schema }) => schema?.title)
    const isShared = /^[45]/.test(status) && name !== undefined && others.length === 0
    return isShared ? responses.put(name + status, changed) : changed
  }
  return ({ parameters: given, requestBody, responses: answers, ...operation }: Operation): Operation => ({
    ...operation,
    ...(given && { parameters: given.map(ofParameter) }),
    ...(requestBody && {
      requestBody: { ...requestBody, ...(requestBody.content && { content: ofContent(requestBody.content) }) },
    }),
    ...(answers && { responses: mapValues(answers, ofAnswer) }),
  })
}

/**
 * The generator takes examples out of a schema that is a whole body, and leaves them in one that is part of
 * another. The same component whatever it is used for needs them in the schema.
 */
const withExamplesInside = (media: Media): Media => {
  const { schema, example, examples: named, ...rest } = media
  const examples = named === undefined ? [example] : Object.values(named).map(({ value }) => value)
  if (schema?.title === undefined || schema.examples !== undefined || examples[0] === undefined) return media
  return { ...rest, schema: { ...schema, examples } }
}

/** Keywords by what they hold; all others, examples among them, are no schemas. */
const one = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames'])
const list = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const map = new Set(['properties', 'patternProperties'])

/** The schema with every schema directly inside it changed. Values are cast by the keyword that holds them. */
export const mapSubschemas = (schema: Schema, change: (schema: Schema) => Schema): Schema =>
  mapValues(schema, (value, keyword) => {
    if (typeof value !== 'object' || value === null) return value
    if (one.has(keyword)) return change(value as Schema)
    if (list.has(keyword)) return (value as readonly Schema[]).map(change)
    if (map.has(keyword)) return mapValues(value as Readonly<Record<string, Schema>>, change)
    return value
  })
