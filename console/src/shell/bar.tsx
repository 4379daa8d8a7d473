import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountMenu } from './account-menu.tsx'
import { LiveDot } from './live-dot.tsx'
import { Palette } from './palette/palette.tsx'
import { RailItems } from './rail.tsx'
import { Trail } from './trail.tsx'
import classes from './frame.module.css'

/** The slim bar above every page: the menu on small screens, search, and who one is. */
export const Bar = () => {
  const { t } = useTranslation('shell')
  const [isOpen, { open, close }] = useDisclosure()
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(close, [path, close])
  return (
    <header className={classes['bar']}>
      <button type="button" className={classes['menu']} onClick={open} aria-expanded={isOpen}>
        {t('nav.menu')}
      </button>
      <Drawer
        opened={isOpen}
        onClose={close}
        title="Waybill"
        size="280px"
        closeButtonProps={{ 'aria-label': t('nav.close') }}
      >
        <nav aria-label={t('nav.main')}>
          <RailItems />
        </nav>
      </Drawer>
      <Trail />
      <Palette />
      <LiveDot />
      <AccountMenu />
    </header>
  )
}
