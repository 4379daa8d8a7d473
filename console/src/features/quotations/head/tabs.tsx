import { Outlet, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { GoAction } from '#ui/go-action.tsx'
import { Link } from '#ui/link.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { useDraftHere } from '../draft/use-draft.ts'
import { isGone } from '../draft/edits.ts'
import { DuplicateQuotation } from '../duplicate-quotation.tsx'
import { ItemsTab } from '../items-tab.tsx'
import classes from '../workspace.module.css'

const tabs = ['items', 'comments', 'orders', 'history'] as const

/** The parts of the quotation, each with an address; the quotation alone is its lines. */
export const Tabs = () => {
  const { t } = useTranslation('quotations')
  const { quotation, lines } = useDraftHere()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const here = tabs.find((tab) => path.endsWith(`/${tab}`)) ?? 'items'
  const counts = {
    items: lines.filter((line) => !isGone(line)).length,
    comments: quotation.comments_count,
    orders: quotation.orders.length,
    history: 0,
  }
  const isAlone = !tabs.some((tab) => path.endsWith(`/${tab}`))
  return (
    <>
      <div className={classes['bar']}>
        <nav className={classes['tabs']} aria-label={t('tabs.label')}>
          {tabs.map((tab) => (
            <Link
              key={tab}
              to={`/quotations/${quotation.id}/${tab}`}
              keepSearch
              aria-current={tab === here ? 'page' : undefined}
            >
              {t(`tabs.${tab}`)} {counts[tab] > 0 && <span className="muted">{formatNumber(counts[tab])}</span>}
            </Link>
          ))}
        </nav>
        <span className="flex wrap">
          <DuplicateQuotation quotation={quotation} />
          <GoAction variant="subtle" to={`/exports/new?quotation=${quotation.id}`}>
            {t('action.export')}
          </GoAction>
          <Action variant="subtle" onClick={() => window.print()}>
            {t('action.print')}
          </Action>
        </span>
      </div>
      {isAlone ? <ItemsTab /> : <Outlet />}
    </>
  )
}
