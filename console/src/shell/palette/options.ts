import { useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import type { RowOf } from '#api/types.ts'
import { useGo } from '#ui/go.ts'
import { languages, setLanguage } from '#ui/texts/i18n.ts'
import { navigationFor } from '../navigation.ts'
import { openPalette } from './palette-state.ts'
import { recentPlaces } from './recent-places.ts'

export type Found = RowOf<'/api/v1/search'>

/** Something that can be chosen: a page, an action, or what was found. */
export interface Option {
  readonly key: string
  readonly title: string
  readonly about: string
  readonly keys?: string | undefined
  readonly run: () => void
}

/** Pages and actions, by what was typed; recent places while nothing was. */
export const useOwnOptions = (text: string): readonly Option[] => {
  const { t, i18n } = useTranslation('shell')
  const go = useGo()
  const { setColorScheme } = useMantineColorScheme()
  const me = useMe()
  const pages = [
    ...navigationFor(me).flatMap((group) =>
      group.items.map(({ to, text: name, keys }) => ({
        to,
        keys,
        title: t(name),
        about: group.text === undefined ? '' : t(group.text),
      })),
    ),
    { to: '/account', keys: undefined, title: t('account.own'), about: me.email },
  ].map(({ to, ...page }) => ({ ...page, key: to, run: () => go.push(to) }))
  if (text === '') {
    const here = location.pathname + location.search
    const recent = recentPlaces().filter(({ path }) => path !== here)
    const places = recent.map(({ path, title }) => ({ key: path, title, about: path, run: () => go.push(path) }))
    return [...places, ...pages.filter(({ key }) => !recent.some(({ path }) => path === key))]
  }
  const actions = [
    ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
      key: `scheme ${scheme}`,
      title: t(`palette.schemes.${scheme}`),
      run: () => setColorScheme(scheme),
    })),
    ...languages.map((language) => ({
      key: `language ${language}`,
      title: t(`account.languages.${language}`),
      run: () => void setLanguage(language),
    })),
    { key: 'shortcuts', title: t('palette.shortcuts'), keys: '?', run: () => openPalette('shortcuts') },
  ].map((action) => ({ ...action, about: t('palette.action') }))
  const wanted = text.toLocaleLowerCase(i18n.language)
  return [...pages, ...actions].filter(({ title }) =>
    ` ${title.toLocaleLowerCase(i18n.language)}`.includes(` ${wanted}`),
  )
}

/** What the server found, as options. */
export const useFoundOptions = (found: readonly Found[]): readonly Option[] => {
  const { t } = useTranslation('shell')
  const go = useGo()
  return found.map(({ kind, title, subtitle, status, path }) => ({
    key: `found ${path}`,
    title,
    about: [t(`palette.kinds.${kind}`), subtitle, status === undefined ? '' : t(`palette.outcome.${status}`)]
      .filter((one) => one !== '')
      .join(' · '),
    run: () => go.push(path),
  }))
}
