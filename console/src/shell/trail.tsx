import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { isAt, navigationFor } from './navigation.ts'
import classes from './frame.module.css'

/** Where one is, by the words of the rail. */
export const Trail = () => {
  const { t } = useTranslation('shell')
  const path = useRouterState({ select: (state) => state.location.pathname })
  const groups = navigationFor(useMe())
  const group = groups.find(({ items }) => items.some(({ to }) => isAt(to, path)))
  const item = group?.items.find(({ to }) => isAt(to, path))
  if (group === undefined || item === undefined) return <span className="grow" />
  return (
    <span className={`${classes['trail']} grow cut`}>
      {group.text !== undefined && <span className="muted">{t(group.text)} / </span>}
      <span className="strong">{t(item.text)}</span>
    </span>
  )
}
