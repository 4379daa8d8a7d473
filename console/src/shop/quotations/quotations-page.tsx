import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { Link } from '#ui/link.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Pages } from '../parts/pages.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { Whose } from '../parts/whose.tsx'
import { countsOf, useBuyer } from '../queries.ts'
import { QuotationRow } from './quotation-row.tsx'
import { countOf, firstTab, tabNames, tabs, type Tab } from './tabs.ts'
import classes from './quotations.module.css'

const pageSize = 20
/** The router marks a link as that of the page only where all of its query is the same. */
const exactly = { activeOptions: { exact: true } }

interface Address {
  readonly tab?: string
  readonly scope?: string
  readonly page?: string
}

const pathOf = ({ tab, scope, page }: { tab: Tab; scope: 'tree' | undefined; page?: number }): string =>
  `/shop/quotations?${new URLSearchParams({
    tab,
    ...(scope !== undefined && { scope }),
    ...(page !== undefined && page > 1 && { page: String(page) }),
  })}`

/** The buyer's quotations, by whether they have to act. */
export const QuotationsPage = () => {
  const { t } = useTranslation('shop')
  const { isMain } = useBuyer()
  const address: Address = useSearch({ strict: false })
  const scope = isMain && address.scope === 'tree' ? 'tree' : undefined
  const counts = useQuery(countsOf(scope))
  const page = Number(address.page ?? 1)
  const tab =
    tabNames.find((one) => one === address.tab) ?? (counts.data === undefined ? undefined : firstTab(counts.data))
  return (
    <div className="stack">
      <PageTitle>{t('quotations.title')}</PageTitle>
      {isMain && <Whose path="/shop/quotations" scope={scope} name={t('quotations.whose')} />}
      <nav aria-label={t('quotations.tabs')} className={classes['tabs']}>
        {tabNames.map((one) => (
          <Link {...exactly} key={one} to={pathOf({ tab: one, scope })} aria-current={one === tab ? 'page' : undefined}>
            {t(`quotations.tab.${scope === undefined || one !== 'yours' ? one : 'offers'}`)}{' '}
            <span className={classes['count']}>
              {counts.data === undefined ? '' : formatNumber(countOf(one, counts.data))}
            </span>
          </Link>
        ))}
      </nav>
      <Loaded query={counts} rows={5}>
        {() => tab !== undefined && <List key={`${tab} ${scope}`} tab={tab} scope={scope} page={page} />}
      </Loaded>
    </div>
  )
}

const List = ({
  tab,
  scope,
  page,
}: {
  readonly tab: Tab
  readonly scope: 'tree' | undefined
  readonly page: number
}) => {
  const { t } = useTranslation('shop')
  const query = { status: [...tabs[tab]], page, limit: pageSize, ...(scope !== undefined && { scope }) }
  const answer = useQuery(listOf('/api/v1/my-quotations', { query }))
  return (
    <Loaded query={answer} rows={5}>
      {({ rows, total }) =>
        total === 0 ? (
          <Empty title={t(`quotations.empty.${tab}`)} action={<ButtonLink to="/shop">{t('basket.find')}</ButtonLink>}>
            {t(`quotations.empty_why.${tab}`)}
          </Empty>
        ) : (
          <>
            <ul className="rows">
              {rows.map((quotation) => (
                <QuotationRow key={quotation.id} quotation={quotation} isOfOthers={scope !== undefined} />
              ))}
            </ul>
            <Pages
              page={page}
              count={Math.ceil(total / pageSize)}
              pathOf={(next) => pathOf({ tab, scope, page: next })}
            />
          </>
        )
      }
    </Loaded>
  )
}
