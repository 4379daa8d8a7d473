import {
  backOfficeEventTypes,
  catalogue,
  pingEventTypes,
  projectEventTypes,
  type EventType,
} from '#events/catalogue.ts'
import { contentTypes, type ContentType } from '#events/content-types.ts'
import type { EventDefinition } from '#events/event.ts'

/** Where the page is kept, from the root of the project. */
export const eventsFile = 'docs/events.md'

/** The reference of all events, in Markdown: one table of names, then for each kind of object its fields and an example. */
export const eventsPage = (): string => {
  const kinds = Object.keys(contentTypes).filter((kind): kind is ContentType => ofKind(kind).length > 0)
  return `${[introduction, ...groups.map(groupSection), ...kinds.map(kindSection)].join('\n\n')}\n`
}

type Named = readonly [name: string, definition: EventDefinition]

/** Who can subscribe to what. */
interface Group {
  readonly heading: string
  readonly about: string
  readonly names: readonly EventType[]
}

const groups: readonly Group[] = [
  {
    heading: 'Hooks of the back office',
    about: `A hook may write a name with hyphens instead of dots (\`package-created\`); it is stored and sent with dots.
\`GET /whisperer/hooks/registry/\` answers the same list of names.`,
    names: backOfficeEventTypes,
  },
  {
    heading: 'Webhooks of a project',
    about: 'What happens in one project reaches the webhooks of that project. Names are written exactly as here.',
    names: projectEventTypes,
  },
  {
    heading: 'To one webhook of a project',
    about:
      'Cannot be subscribed to: it goes to the webhook that is tried out (`POST …/webhooks/{webhookId}/ping`), and to no other.',
    names: pingEventTypes,
  },
]

const definitionOf = (name: EventType): Named => [name, catalogue[name]]
const definitions: readonly Named[] = groups.flatMap(({ names }) => names.map(definitionOf))
const ofKind = (kind: string): Named[] => definitions.filter(([, { about }]) => about === kind)

const introduction = `# Events

<!-- Generated from server/events/ by \`npm run docs:events\`. Change it there. -->

What can be subscribed to, and what arrives: the object as it was right after the change, the same on every attempt. It is
\`payload\` in the envelope of hooks, \`data\` in that of project webhooks, as the examples show it;
[delivery.md](delivery.md#the-envelope) says which is whose, and what stands in the headers.`

const groupSection = ({ heading, about, names }: Group): string =>
  [`## ${heading}`, about, nameTable(names.map(definitionOf))].join('\n\n')

const nameTable = (named: readonly Named[]): string => {
  const rows = named.map(([name, { description, about }]) => `| \`${name}\` | ${description} | [${about}](#${about}) |`)
  return ['| Event | Raised when | `data` |', '|---|---|---|', ...rows].join('\n')
}

const kindSection = (kind: ContentType): string => {
  const events = ofKind(kind)
  const fieldSets = events.map(([, { schema }]) => fieldsOf(schema))
  const fields = new Map(fieldSets.flatMap((set) => [...set]))
  const rows = [...fields].map(([path, type]) => {
    const having = events.filter((_, index) => fieldSets[index]?.has(path))
    const only = having.length === events.length ? '' : having.map(([name]) => `\`${name}\``).join(', ')
    return `| \`${path}\` | ${type} | ${only} |`
  })
  return [
    `## ${kind}`,
    `Content type ${contentTypes[kind]}.`,
    ['| Field of `data` | Type | Only in |', '|---|---|---|', ...rows].join('\n'),
    ...firstOfEachShape(events, fieldSets).map(exampleOf),
  ].join('\n\n')
}

/** Events that share a shape need one example. */
const firstOfEachShape = (events: readonly Named[], fieldSets: readonly Map<string, string>[]): Named[] => {
  const shapes = fieldSets.map((set) => JSON.stringify([...set]))
  return events.filter((_, index) => shapes.indexOf(shapes[index] ?? '') === index)
}

const exampleOf = ([type, { example }]: Named): string =>
  ['```json', JSON.stringify({ type, timestamp: '2026-11-21T09:30:00.000Z', data: example }, null, 2), '```'].join('\n')

/** The parts of JSON Schema that the catalogue uses. */
interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Field path → type in words; the fields of what is in a list follow it as `items[].sku`. */
const fieldsOf = (schema: Schema, prefix = ''): Map<string, string> =>
  new Map(
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const path = `${prefix}${name}`
      const inner = field.items === undefined ? fieldsOf(field, `${path}.`) : fieldsOf(field.items, `${path}[].`)
      return [[path, typeInWords(field)] as const, ...inner]
    }),
  )

const typeInWords = (schema: Schema): string => {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeInWords).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${String(word)}\``).join(', ')
  if (schema.type === 'array') return `list of ${typeInWords(schema.items ?? {})}s`
  if (schema.type === undefined)
    throw new Error(`A field of an event has a schema that has no words yet: ${JSON.stringify(schema)}`)
  return schema.format === undefined ? schema.type : `${schema.type} (${schema.format})`
}
