import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { logOut, useMe } from '#api/session.ts'
import { languages, setLanguage } from '#ui/texts/i18n.ts'
import { toastFailed } from '#ui/toast.tsx'

const schemes = ['light', 'dark', 'auto'] as const

/** Who one is, how the page looks and speaks, and the way out. */
export const AccountMenu = () => {
  const { t, i18n } = useTranslation('shell')
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    await logOut()
    queries.clear()
    await navigate({ to: '/login' })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className="small strong" aria-label={t('account.menu', { email: me.email })}>
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
            onClick={() => void setLanguage(language)}
          >
            {t(`account.languages.${language}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave().catch(toastFailed)}>{t('account.log_out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
