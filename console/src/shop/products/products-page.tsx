import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { Button } from '../parts/button.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { countsOf, useBuyer } from '../queries.ts'
import { OrderingFor, useOrderingFor } from './ordering-for.tsx'
import { ProductCard } from './product-card.tsx'
import { ProductSearch, type ProductFilters } from './product-search.tsx'
import classes from './products.module.css'

const path = '/api/v1/my-products'
const pageSize = 24

const useProducts = ({ q, category }: ProductFilters) =>
  useInfiniteQuery<Awaited<ReturnType<typeof call<'get', typeof path>>>, ApiError>({
    queryKey: [path, {}, { q, category, ordering: 'name', isEndless: true }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'get',
        path,
        {
          query: {
            page: pageParam as number,
            limit: pageSize,
            ordering: 'name',
            ...(q !== undefined && { q }),
            ...(category !== undefined && { category }),
          },
        },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next }, pages) => (next === null ? undefined : pages.length + 1),
    // Prices change rarely, and every page that was scrolled to would be read again.
    staleTime: 60_000,
    placeholderData: (before) => before,
  })

/** What can be bought, at the prices of the buyer's division. */
export const ProductsPage = () => {
  const { t } = useTranslation('shop')
  const filters: ProductFilters = useSearch({ strict: false })
  const query = useProducts(filters)
  const ordering = useOrderingFor()
  return (
    <div data-wide-page className="stack" style={{ gap: 20 }}>
      <PageTitle>{t('products.title')}</PageTitle>
      <Waiting />
      <div className={classes['tools']}>
        <ProductSearch filters={filters} />
        <OrderingFor {...ordering} />
      </div>
      <Loaded query={query} rows={8}>
        {({ pages }) => {
          const products = pages.flatMap(({ results }) => results)
          const count = pages[0]?.count ?? 0
          if (count === 0) return <Nothing filters={filters} />
          return (
            <>
              <p className="small muted" role="status">
                {t('products.count', { count })}
              </p>
              <ul className={classes['grid']} aria-busy={query.isPlaceholderData || undefined}>
                {products.map((product) => (
                  <ProductCard key={product.id} product={product} division={ordering.division} />
                ))}
              </ul>
              {query.hasNextPage && (
                <Button isWide isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {t('products.more', { count: count - products.length })}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </div>
  )
}

const Nothing = ({ filters: { q, category } }: { readonly filters: ProductFilters }) => {
  const { t } = useTranslation('shop')
  const isFiltered = q !== undefined || category !== undefined
  return (
    <div role="status">
      <Empty title={t(isFiltered ? 'products.no_match' : 'products.none')}>
        {t(isFiltered ? 'products.no_match_why' : 'products.none_why')}
      </Empty>
    </div>
  )
}

/** What waits for the buyer, before anything else. */
const Waiting = () => {
  const { t } = useTranslation('shop')
  const { isMain } = useBuyer()
  const offers = useQuery(countsOf()).data?.sending_approval_request ?? 0
  const requests = useQuery({ ...countsOf('approvals'), enabled: isMain }).data?.request_approval ?? 0
  if (offers + requests === 0) return null
  return (
    <div className={classes['waiting']}>
      {offers > 0 && (
        <Link to="/shop/quotations?tab=yours">
          <b>{formatNumber(offers)}</b> {t('waiting.offers', { count: offers })}
        </Link>
      )}
      {isMain && requests > 0 && (
        <Link to="/shop/approvals">
          <b>{formatNumber(requests)}</b> {t('waiting.requests', { count: requests })}
        </Link>
      )}
    </div>
  )
}
