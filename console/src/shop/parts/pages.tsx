import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import { ButtonLink } from './button.tsx'

interface PagesProps {
  readonly page: number
  readonly count: number
  readonly pathOf: (page: number) => string
}

/** The way to the next and the previous page of a list; nothing where there is one. */
export const Pages = ({ page, count, pathOf }: PagesProps) => {
  const { t } = useTranslation('shop')
  if (count <= 1) return null
  return (
    <nav aria-label={t('pages.title')} className="flex between">
      {page > 1 ? <ButtonLink to={pathOf(page - 1)}>{t('pages.previous')}</ButtonLink> : <span />}
      <span className="muted">{t('pages.here', { page: formatNumber(page), pages: formatNumber(count) })}</span>
      {page < count ? <ButtonLink to={pathOf(page + 1)}>{t('pages.next')}</ButtonLink> : <span />}
    </nav>
  )
}
