import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { useGo } from '#ui/go.ts'
import { useShortcut } from '#ui/shortcuts.ts'
import { navigationFor, type NavigationItem } from '../navigation.ts'
import { openPalette, useOpened } from './palette-state.ts'
import classes from './palette.module.css'

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }))
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }))
const isApple = navigator.userAgent.includes('Mac')
const close = (): void => openPalette(undefined)

/** The search field of the bar, the keys that work everywhere, and what they open. */
export const Palette = () => {
  const { t } = useTranslation('shell')
  const opened = useOpened()
  const me = useMe()
  useShortcut('/', 'shell:palette.title', () => openPalette('search'))
  useShortcut('?', 'shell:palette.shortcuts', opened === undefined ? () => openPalette('shortcuts') : undefined)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      openPalette('search')
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        className={classes['field']}
        aria-keyshortcuts="Control+K Meta+K /"
        aria-haspopup="dialog"
        onClick={() => openPalette('search')}
      >
        <span className={`${classes['hint']} cut`}>{t('palette.placeholder')}</span>
        <span className={classes['word']}>{t('palette.word')}</span>
        <span className={classes['keys']} aria-hidden="true">
          <kbd>{isApple ? '⌘' : 'Ctrl'}</kbd>
          <kbd>K</kbd>
        </span>
      </button>
      {navigationFor(me)
        .flatMap(({ items }) => items)
        .map((item) => (
          <NavigationKeys key={item.to} item={item} />
        ))}
      <Suspense>
        {opened === 'search' && <SearchDialog close={close} />}
        {opened === 'shortcuts' && <ShortcutsDialog close={close} />}
      </Suspense>
    </>
  )
}

/** Two keys that go to a page. */
const NavigationKeys = ({ item }: { readonly item: NavigationItem }) => {
  const go = useGo()
  useShortcut(item.keys ?? '', `shell:${item.text}`, item.keys === undefined ? undefined : () => go.push(item.to))
  return null
}
