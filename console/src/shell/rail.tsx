import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { Link } from '#ui/link.tsx'
import { isAt, navigationFor, type NavigationItem } from './navigation.ts'
import { useRailCounts } from './rail-counts.ts'
import classes from './rail.module.css'

/** Everything there is, in words and groups; on a phone the same stands in the menu of the bar. */
export const Rail = () => {
  const { t } = useTranslation('shell')
  return (
    <nav className={classes['rail']} aria-label={t('nav.main')}>
      <Link to="/" className={classes['brand']}>
        <Logo />
        Waybill
      </Link>
      <RailItems />
    </nav>
  )
}

const Logo = () => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" className={classes['logo']}>
    <path d="M2 5.5 6.2 15 10 7.5 13.8 15 18 5.5" />
  </svg>
)

export const RailItems = () => {
  const { t } = useTranslation('shell')
  const counts = useRailCounts()
  return navigationFor(useMe()).map((group) => (
    <section key={group.text ?? ''}>
      {group.text !== undefined && <h2 className={classes['group']}>{t(group.text)}</h2>}
      <ul>
        {group.items.map((item) => (
          <RailItem key={item.to} item={item} count={counts.get(item.to)} />
        ))}
      </ul>
    </section>
  ))
}

interface RailItemProps {
  readonly item: NavigationItem
  /** How many things there wait for somebody. */
  readonly count: number | undefined
}

const RailItem = ({ item, count }: RailItemProps) => {
  const { t } = useTranslation('shell')
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <li>
      <Link to={item.to} className={classes['item']} aria-current={isAt(item.to, path) ? 'page' : undefined}>
        {t(item.text)}
        {count !== undefined && (
          <span className={classes['count']}>
            {formatNumber(count)}
            <span className="visually-hidden"> {t('nav.waiting')}</span>
          </span>
        )}
      </Link>
    </li>
  )
}
