import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { Link } from '#ui/link.tsx'
import { navigationFor, type NavigationItem } from './navigation.ts'
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
  return navigationFor(useMe()).map((group) => (
    <section key={group.text}>
      <h2 className={classes['group']}>{t(group.text)}</h2>
      <ul>
        {group.items.map((item) => (
          <RailItem key={item.to} item={item} />
        ))}
      </ul>
    </section>
  ))
}

const RailItem = ({ item }: { readonly item: NavigationItem }) => {
  const { t } = useTranslation('shell')
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isHere = item.to === '/' ? path === '/' : path === item.to || path.startsWith(`${item.to}/`)
  return (
    <li>
      <Link to={item.to} className={classes['item']} aria-current={isHere ? 'page' : undefined}>
        {t(item.text)}
      </Link>
    </li>
  )
}
