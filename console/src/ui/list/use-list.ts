import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { addressOf, listOf, type Asked } from '#api/queries.ts'
import type { ListPath, PathParameters, Query } from '#api/types.ts'
import { useNow } from '#ui/now.ts'
import { isActive, parametersOf, toQuery, type Filter, type Search } from './filters.ts'

export interface ListDefinition<P extends ListPath> {
  readonly path: P
  /** The namespace that labels of filters and titles of columns are keys of. */
  readonly texts: string
  readonly parameters?: PathParameters<'get', P>
  readonly filters: readonly Filter[]
  /** What is always asked, whatever the address says. */
  readonly always?: Query<'get', P>
  /** Rows on a page. */
  readonly limit?: number
  /** The filters of an address that names none, such as the last day of a log. They are badges like all others. */
  readonly initial?: Search
  /** false: it is not asked for again when the stream says that rows changed; its screen gathers what is new itself. */
  readonly isLive?: boolean
}

/** What an address says, with the initial filters where it names none. */
const searchOf = (
  { filters, initial }: Pick<ListDefinition<ListPath>, 'filters' | 'initial'>,
  search: Search,
): Search => {
  if (initial === undefined || filters.some((filter) => isNamed(filter, search))) return search
  return { ...search, ...initial }
}

const isNamed = (filter: Filter, search: Search): boolean =>
  parametersOf(filter).some((name) => search[name] !== undefined)

/** An address that must not fall back to the initial filters says that one of them is empty. */
const withoutInitial = (
  { filters, initial = {} }: Pick<ListDefinition<ListPath>, 'filters' | 'initial'>,
  next: Search,
) => {
  const [name] = Object.keys(initial)
  return name === undefined || filters.some((filter) => isNamed(filter, next)) ? next : { ...next, [name]: '' }
}

/** The address of all that a list has. */
const whole = ({ initial = {} }: Pick<ListDefinition<ListPath>, 'initial'>): Search =>
  Object.fromEntries(Object.keys(initial).map((name) => [name, '']))

const pageParameters = ['page', 'cursor', 'ordering']

const askedOf = <P extends ListPath>(
  { path: _path, parameters, filters, always, limit = 50 }: ListDefinition<P>,
  search: Search,
  now: Date,
): Omit<Asked<'get', P>, 'body'> => {
  const paging = Object.fromEntries(
    pageParameters.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
  const query = { limit, ...toQuery(filters, search, now), ...paging, ...always }
  return { query: query as unknown as Query<'get', P>, ...(parameters !== undefined && { path: parameters }) }
}

/** The query that a list asks at an address, for its screen's `asks`. */
export const queryOf = <P extends ListPath>(definition: ListDefinition<P>, search: Search) =>
  listOf(definition.path, askedOf(definition, searchOf(definition, search), new Date()))

/** A list whose filters, order and page stand in the address. */
export const useList = <P extends ListPath>(definition: ListDefinition<P>) => {
  const { asked, ...address } = useListAddress(definition)
  const now = useNow()
  const result = useQuery({ ...listOf(definition.path, asked), meta: { isLive: definition.isLive ?? true } })
  const isUnasked = definition.initial !== undefined && address.isInitial && result.data?.rows.length === 0
  // With nothing in the last day the whole is asked for, to tell a quiet day from a new installation.
  const first = useQuery({
    ...listOf(definition.path, askedOf(definition, whole(definition), now)),
    enabled: isUnasked,
  })
  return { ...address, result, isNew: address.active.length === 0 || (isUnasked && first.data?.rows.length === 0) }
}

/** What the address says of a list, for what shows its rows in another way; it asks for nothing. */
export const useListAddress = <P extends ListPath>(definition: ListDefinition<P>) => {
  const given: Search = useSearch({ strict: false })
  const search = searchOf(definition, given)
  const navigate = useNavigate()
  const now = useNow()
  const asked = askedOf(definition, search, now)
  /** Changes parameters of the address; anything but a change of page begins at the first page again. */
  const change = (parameters: Search, options: { readonly replace?: boolean } = {}): void => {
    const isPaging = Object.keys(parameters).every((name) => name === 'page' || name === 'cursor')
    const before = isPaging ? search : { ...search, page: undefined, cursor: undefined }
    const next = withoutInitial(definition, { ...before, ...parameters }) as Record<string, unknown>
    void navigate({ to: '.', search: next, replace: options.replace ?? false })
  }
  return {
    ...definition,
    asked,
    search,
    /** Whether the address names no filter, so that the initial ones hold. */
    isInitial: search !== given,
    change,
    active: definition.filters.filter((filter) => isActive(filter, search)),
    clear: (): void => {
      const names = definition.filters.flatMap(parametersOf)
      change(Object.fromEntries(names.map((name) => [name, undefined])))
    },
    /** What is shown, as a request. */
    request: { url: addressOf(definition.path, asked) },
    /** The filters as the API takes them, without page and order, for what is done to all that match. */
    matching: toQuery(definition.filters, search, now),
  }
}

export type List<P extends ListPath> = ReturnType<typeof useList<P>>
/** A list of which it does not matter what its rows are. */
export type AnyList = Omit<List<ListPath>, 'path' | 'parameters' | 'always' | 'result' | 'isNew'>
