import type { UseQueryOptions } from '@tanstack/react-query'
import type { ApiError } from '#api/api-error.ts'
import { listOf, recordOf, type Page } from '#api/queries.ts'
import type { RowOf, Schema } from '#api/types.ts'
import type { Asking, NamedRecord, Records } from '#ui/list/records.ts'
import { shortUrl } from '#ui/short-url.ts'
import { allLocations } from './fulfilment/locations.tsx'

const limit = 20
/** Of what has a number, how many can be found by a part of it. */
const newest = 100
const staleTime = 60_000

/** A query, and what is made of its answer, which a filter then knows nothing of. */
const asking = <Data, T>(query: UseQueryOptions<Data, ApiError>, select: (data: Data) => T): Asking<T> =>
  ({ ...query, select, staleTime }) as unknown as Asking<T>

interface Identified {
  readonly id: number
}

/** Names the rows of a page, or those of them that have words in their name. */
const named =
  <Row extends Identified>(nameOf: (row: Row) => string, words = '') =>
  ({ rows }: Page<Row>): readonly NamedRecord[] => {
    const wanted = words.toLocaleLowerCase()
    const all = rows.map((row) => ({ id: String(row.id), name: nameOf(row) }))
    return all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  }

type Found = RowOf<'/api/v1/search'>

/** What the search over everything finds of a kind. */
const found = (q: string, kind: Found['kind']): Asking<readonly NamedRecord[]> =>
  asking(recordOf('/api/v1/search', { query: { q } }), (all) =>
    all
      .filter((one) => one.kind === kind)
      .map(({ id, title, subtitle }) => ({ id, name: [title, subtitle].filter(Boolean).join(' · ') })),
  )

const emailOf = ({ email }: Schema<'User'>): string => email

/** Who can log in, for superusers, who may read users. */
export const users: Records = {
  find: (words) => [
    asking(
      listOf('/api/v1/users', { query: { ordering: 'email', limit, ...(words !== '' && { email: words }) } }),
      named(emailOf),
    ),
  ],
  name: (id) => asking(recordOf('/api/v1/users/{id}', { path: { id: Number(id) } }), emailOf),
  may: (me) => me.is_superuser,
}

const nameOf = ({ name }: Identified & { readonly name: string }): string => name

export const divisions: Records = {
  find: (words) => [
    asking(
      listOf('/api/v1/divisions', { query: { ordering: 'name', limit, ...(words !== '' && { name: words }) } }),
      named(nameOf),
    ),
  ],
  name: (id) => asking(recordOf('/api/v1/divisions/{id}', { path: { id: Number(id) } }), nameOf),
}

const productOf = ({ sku, name }: Schema<'Product'>): string => `${sku} · ${name}`

/** What is sold, by a part of its name, sku or category. */
export const products: Records = {
  find: (words) => [
    asking(
      listOf('/api/v1/products', { query: { ordering: 'name', limit, ...(words !== '' && { q: words }) } }),
      named(productOf),
    ),
  ],
  name: (id) => asking(recordOf('/api/v1/products/{id}', { path: { id: Number(id) } }), productOf),
}

const placeOf = ({ code, name }: Schema<'StockLocation'>): string => `${code} · ${name}`

export const stockLocations: Records = {
  find: (words) => [asking(allLocations, named(placeOf, words))],
  name: (id) => asking(recordOf('/api/v1/stock_locations/{id}', { path: { id: Number(id) } }), ({ code }) => code),
}

const receiverOf = (url: string | null): string => (url === null ? '–' : shortUrl(url))

export const hooks: Records = {
  find: (words) => [
    asking(
      listOf('/api/v1/subscriptions', { query: { kind: 'hook', limit, ...(words !== '' && { q: words }) } }),
      ({ rows }) => rows.map((row) => ({ id: row.id, name: receiverOf(row.target_url) })),
    ),
  ],
  name: (id) =>
    asking(recordOf('/whisperer/hooks/{id}', { path: { id: Number(id) } }), ({ target_url: url }) => receiverOf(url)),
}

const modelOf = ({ model }: Schema<'ContentType'>): string => model

export const contentTypes: Records = {
  find: (words) => [asking(listOf('/api/v1/content_types', { query: { limit: 1_000 } }), named(modelOf, words))],
  name: (id) => asking(recordOf('/api/v1/content_types/{id}', { path: { id: Number(id) } }), modelOf),
}

interface Numbered extends Identified {
  readonly number: string
}

const numberOf = ({ number }: Numbered): string => number

/** What has a number: the newest by a part of it, and any by its whole number or a part of its name. */
const numbered = <Row extends Numbered>(
  kind: Found['kind'],
  list: UseQueryOptions<Page<Row>, ApiError>,
  name: Records['name'],
): Records => ({
  find: (words) => [asking(list, named<Row>(numberOf, words)), ...(words === '' ? [] : [found(words, kind)])],
  name,
})

export const quotations = numbered('quotation', listOf('/api/v1/quotations', { query: { limit: newest } }), (id) =>
  asking(recordOf('/api/v1/quotations/{id}', { path: { id: Number(id) } }), numberOf),
)

export const orders = numbered('order', listOf('/api/v1/orders', { query: { limit: newest } }), (id) =>
  asking(recordOf('/api/v1/orders/{id}', { path: { id: Number(id) } }), numberOf),
)

export const packages = numbered(
  'package',
  listOf('/api/v1/packages', { query: { ordering: '-created_date', limit: newest } }),
  (id) => asking(recordOf('/api/v1/packages/{id}', { path: { id: Number(id) } }), numberOf),
)

export const transfers = numbered(
  'transfer',
  listOf('/api/v1/transfers', { query: { ordering: '-created_date', limit: newest } }),
  (id) => asking(recordOf('/api/v1/transfers/{id}', { path: { id: Number(id) } }), numberOf),
)

const titleOf = ({ title }: Schema<'ErrorReportGroup'>): string => title

export const errorGroups: Records = {
  find: (words) => [
    asking(
      listOf('/api/v1/error_report_groups', {
        query: { ordering: '-last_seen', limit, ...(words !== '' && { q: words }) },
      }),
      named(titleOf),
    ),
  ],
  name: (id) => asking(recordOf('/api/v1/error_report_groups/{id}', { path: { id: Number(id) } }), titleOf),
}
