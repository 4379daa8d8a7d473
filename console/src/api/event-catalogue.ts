import { queryOptions, useQuery } from '@tanstack/react-query'
import { toApiError, type ApiError } from './api-error.ts'
import { listOf, recordOf } from './queries.ts'

/** What subscribers can know of an event before it happens. */
export interface EventFacts {
  readonly name: string
  /** When it is raised; undefined where nobody wrote it down. */
  readonly description: string | undefined
  /** Data as it can be. */
  readonly example: unknown
  /** JSON Schema of its data. */
  readonly schema: unknown
}

type Json = Readonly<Record<string, unknown>>

/** The events that the API description explains; it does not change while the server runs, so it is read once. */
const described = queryOptions<ReadonlyMap<string, EventFacts>, ApiError>({
  queryKey: ['event-catalogue'],
  staleTime: 'static',
  queryFn: async ({ signal }) => {
    const response = await fetch('/openapi.json', { signal })
    if (!response.ok) throw await toApiError(response)
    const { webhooks, components } = (await response.json()) as { webhooks: Json; components: { schemas: Json } }
    return new Map(Object.entries(webhooks).map(([name, hook]) => [name, factsOf(name, hook, components.schemas)]))
  },
})

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Deliveries have an envelope; what it carries is what people ask for. */
const factsOf = (name: string, hook: unknown, schemas: Json): EventFacts => {
  const content = at(hook, 'post', 'requestBody', 'content', 'application/json')
  const example = at(content, 'example')
  const envelopes = [at(content, 'schema'), ...((at(content, 'schema', 'anyOf') as unknown[] | undefined) ?? [])]
  const data = envelopes.map((one) => at(one, 'properties', 'payload') ?? at(one, 'properties', 'data'))
  const schema = data.find((one) => one !== undefined)
  const summary = at(hook, 'post', 'summary')
  return {
    name,
    description: typeof summary === 'string' ? summary : undefined,
    example: at(example, 'payload') ?? at(example, 'data'),
    schema: schemas[String(at(schema, '$ref')).replace(/^.*\//, '')] ?? schema,
  }
}

const registry = recordOf('/whisperer/hooks/registry')
const ownTypes = listOf('/api/v1/event_types', { query: { limit: 1000 } })

interface Catalogue {
  readonly events: readonly EventFacts[] | undefined
  readonly error: ApiError | null
}

/** Every event that hooks can listen to, those of one's own too, in the order of their names. */
export const useEventCatalogue = (): Catalogue => {
  const { data: known, error: notDescribed } = useQuery(described)
  const { data: names, error: notListed } = useQuery(registry)
  const { data: own } = useQuery(ownTypes)
  const error = notListed ?? notDescribed
  if (known === undefined || names === undefined) return { events: undefined, error }
  const mine = new Map(own?.rows.map((type) => [type.name, type]))
  const events = names.toSorted().map((name): EventFacts => {
    const type = mine.get(name)
    if (type !== undefined) return { name, description: type.description, example: type.example, schema: type.schema }
    return known.get(name) ?? { name, description: undefined, example: undefined, schema: undefined }
  })
  return { events, error }
}
