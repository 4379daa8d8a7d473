import { isDistance, parametersOf, type Filter, type Search } from './filters.ts'

const namesOf = (filters: readonly Filter[]): readonly string[] => [...filters.flatMap(parametersOf), 'ordering']

/** What a list shows, as the query of an address: filters and order, not the page. Distances of time stay distances. */
export const viewQueryOf = (filters: readonly Filter[], search: Search): string => {
  const query = new URLSearchParams()
  for (const name of namesOf(filters)) for (const value of [search[name] ?? []].flat()) query.append(name, value)
  return query.toString()
}

/** Whether a list is narrowed to moments, which stay while a distance of time goes on. */
export const hasFixedTime = (filters: readonly Filter[], search: Search): boolean =>
  filters
    .filter(({ kind }) => kind === 'time')
    .flatMap(parametersOf)
    .flatMap((name) => search[name] ?? [])
    .some((value) => value !== '' && !isDistance(value))

/** The parameters that show a view; those that it does not name are taken out of the address. */
export const searchOfView = (filters: readonly Filter[], query: string): Search => {
  const given = new URLSearchParams(query)
  return Object.fromEntries(
    namesOf(filters).map((name) => {
      const values = given.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}
