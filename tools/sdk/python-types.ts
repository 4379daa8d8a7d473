import type { Schema } from './document.ts'

/** Makes Python's annotations of schemas. Objects within others become classes of their own. */
export interface PythonTypes {
  /** The annotation of a schema. @param name what a class is called that it needs. */
  typeOf(schema: Schema, name: string): string
  /** Defines a class, or another name where a schema is no object. */
  define(name: string, schema: Schema): void
  /** What was defined, as the lines of a module. */
  definitions(): string
}

export const makePythonTypes = (): PythonTypes => {
  const defined: string[] = []

  const typeOf = (schema: Schema, name: string): string => {
    const { $ref, anyOf, items, properties, additionalProperties: more } = schema
    if ($ref !== undefined) return `"${$ref.replace(/^.*\//, '')}"`
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
    if (anyOf !== undefined)
      return unionOf(anyOf.map((one, index) => typeOf(one, anyOf.length > 2 ? `${name}${index + 1}` : name)))
    if (schema.type === 'array') return `List[${items === undefined ? 'Any' : typeOf(items, `${name}Item`)}]`
    if (properties !== undefined) {
      define(name, schema)
      return `"${name}"`
    }
    if (schema.type === 'object') return `Dict[str, ${typeof more === 'object' ? typeOf(more, `${name}Value`) : 'Any'}]`
    const types = [schema.type ?? []].flat()
    return unionOf(types.map((type) => (type === 'array' ? typeOf({ ...schema, type }, name) : (plain[type] ?? 'Any'))))
  }

  const define = (name: string, schema: Schema): void => {
    const place = defined.push('') - 1
    defined[place] = schema.properties === undefined ? `${name} = ${typeOf(schema, name)}\n` : classOf(name, schema)
  }

  const classOf = (name: string, { properties = {}, required = [], description }: Schema): string => {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, `${name}${pascal(field)}`)
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, about: schema.description }
    })
    if (fields.some(({ field }) => !isName(field))) {
      const pairs = fields.map(
        ({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type.replaceAll('"', ''))},`,
      )
      return [`${name} = TypedDict("${name}", {`, ...pairs, '})', ''].join('\n')
    }
    const lines = fields.flatMap(({ field, type, about }) => [...commentOf(about), `    ${field}: ${type}`])
    return [`class ${name}(TypedDict):`, docstring(description), ...lines, ''].join('\n')
  }

  return { typeOf, define, definitions: () => defined.map((text) => `\n\n${text.trimEnd()}\n`).join('') }
}

const plain: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'Dict[str, Any]',
}

const unionOf = (types: readonly string[]): string => {
  const [first = 'Any', ...others] = new Set(types)
  return others.length === 0 ? first : `Union[${[first, ...others].join(', ')}]`
}

const literal = (value: unknown): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** Words that cannot be a name. */
const reserved = new Set([
  'from',
  'class',
  'def',
  'global',
  'import',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'else',
  'pass',
  'with',
  'None',
  'True',
  'False',
])

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) && !reserved.has(text)

/** `organizationId` and `packed-for` → `organization_id` and `packed_for`. */
export const snake = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W/g, '_')
    .toLowerCase()

/** `package.status.packed_for_refund` → `PackageStatusPackedForRefund`. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** A docstring of four spaces; nothing in it ends it early. */
export const docstring = (text = '', indent = '    '): string =>
  `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ').replaceAll('\n', `\n${indent}`)}"""`

const commentOf = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split('\n').map((line) => `    # ${line}`)
