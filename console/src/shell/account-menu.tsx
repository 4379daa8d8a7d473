import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '#api/queries.ts'
import { logOut, session, useMe } from '#api/session.ts'
import { languages, setLanguage, type Language } from '#ui/texts/i18n.ts'
import { useGo } from '#ui/go.ts'
import { leavePage } from '#ui/leave-page.ts'
import { toastFailed } from '#ui/toast.tsx'
import { forgetPlaces } from './palette/recent-places.ts'
import classes from './frame.module.css'

const schemes = ['light', 'dark', 'auto'] as const

/** Who one is, how the page looks and speaks, and the way out. */
export const AccountMenu = () => {
  const { t, i18n } = useTranslation('shell')
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const queries = useQueryClient()
  const go = useGo()
  const leave = async (): Promise<void> => {
    await logOut()
    forgetPlaces()
    leavePage('/login')
  }
  const speak = async (locale: Language): Promise<void> => {
    await setLanguage(locale)
    const saved = await call('patch', '/api/v1/auth/me', { body: { locale } })
    queries.setQueryData(session.queryKey, { ...me, ...saved })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton
          className={`small strong cut ${classes['account']}`}
          aria-label={t('account.menu', { email: me.email })}
        >
          {me.email}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('account.scheme')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            rightSection={colorScheme === scheme ? '✓' : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`account.schemes.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Label>{t('account.language')}</Menu.Label>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            role="menuitemradio"
            aria-checked={i18n.language === language}
            rightSection={i18n.language === language ? '✓' : undefined}
            onClick={() => void speak(language).catch(toastFailed)}
          >
            {t(`account.languages.${language}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => go.push('/account')}>{t('account.own')}</Menu.Item>
        <Menu.Item onClick={() => void leave().catch(toastFailed)}>{t('account.log_out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
