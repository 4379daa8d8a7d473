import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { PageTitle } from '#ui/page-title.tsx'
import { ButtonLink } from '../parts/button.tsx'
import { Pages } from '../parts/pages.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { Whose } from '../parts/whose.tsx'
import { useBuyer } from '../queries.ts'
import { OrderRow } from './order-row.tsx'

const pageSize = 20

interface Address {
  readonly scope?: string
  readonly page?: string
}

const pathOf = (scope: 'tree' | undefined, page: number): string =>
  `/shop/orders?${new URLSearchParams({ ...(scope !== undefined && { scope }), page: String(page) })}`

/** What was ordered, where it is, and who brings it. */
export const OrdersPage = () => {
  const { t } = useTranslation('shop')
  const { isMain } = useBuyer()
  const address: Address = useSearch({ strict: false })
  const scope = isMain && address.scope === 'tree' ? 'tree' : undefined
  const page = Number(address.page ?? 1)
  const query = useQuery(
    listOf('/api/v1/my-orders', { query: { page, limit: pageSize, ...(scope !== undefined && { scope }) } }),
  )
  return (
    <div className="stack">
      <PageTitle>{t('orders.title')}</PageTitle>
      {isMain && <Whose path="/shop/orders" scope={scope} name={t('orders.scope')} />}
      <Loaded query={query} rows={5}>
        {({ rows, total }) =>
          total === 0 ? (
            <Empty
              title={t('orders.empty')}
              action={<ButtonLink to="/shop/quotations">{t('quotations.title')}</ButtonLink>}
            >
              {t('orders.empty_why')}
            </Empty>
          ) : (
            <>
              <ul className="rows">
                {rows.map((order) => (
                  <OrderRow key={order.id} order={order} />
                ))}
              </ul>
              <Pages page={page} count={Math.ceil(total / pageSize)} pathOf={(next) => pathOf(scope, next)} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}
