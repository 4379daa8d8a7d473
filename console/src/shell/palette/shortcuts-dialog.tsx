import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentShortcuts, useShortcut } from '#ui/shortcuts.ts'
import { Keys } from './keys.tsx'
import classes from './palette.module.css'

/** The keys that work on the page below. */
export const ShortcutsDialog = ({ close }: { readonly close: () => void }) => {
  const { t } = useTranslation(['shell', 'texts'])
  const [shortcuts] = useState(currentShortcuts)
  useShortcut('?', 'shell:keys.shortcuts', close)
  const isPair = (keys: string): boolean => keys.startsWith('g ')
  const here = shortcuts.filter(({ keys }) => !isPair(keys))
  const pages = shortcuts.filter(({ keys }) => isPair(keys))
  return (
    <Modal opened onClose={close} title={t('palette.shortcuts')} closeButtonProps={{ 'aria-label': t('texts:close') }}>
      <div className="stack">
        <dl className={classes['shortcuts']}>
          <Row keys="Ctrl/⌘ K" text={t('palette.title')} />
          {here.map(({ keys, text }) => (
            <Row key={keys} keys={keys} text={t(text)} />
          ))}
        </dl>
        {pages.length > 0 && (
          <>
            <h3>{t('palette.go')}</h3>
            <dl className={classes['shortcuts']}>
              {pages.map(({ keys, text }) => (
                <Row key={keys} keys={keys} text={t(text)} />
              ))}
            </dl>
          </>
        )}
      </div>
    </Modal>
  )
}

const Row = ({ keys, text }: { readonly keys: string; readonly text: string }) => (
  <>
    <dt>
      <Keys keys={keys} />
    </dt>
    <dd>{text}</dd>
  </>
)
