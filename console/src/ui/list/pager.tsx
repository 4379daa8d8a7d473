import { useTranslation } from 'react-i18next'
import type { Page } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import type { AnyList } from './use-list.ts'

interface PagerProps {
  readonly list: Pick<AnyList, 'search' | 'change' | 'limit'>
  readonly page: Page<unknown>
}

/** The way through the pages. Logs are read by cursor, so that rows that come meanwhile shift nothing. */
export const Pager = ({ list, page }: PagerProps) => {
  const { t } = useTranslation('texts')
  const go = useGo()
  const place = placeOf(list, page)
  const { number, pages, isFirst, nextPage } = place
  if (isFirst && nextPage === undefined) return null
  const words = place.isNumbered ? t('list.page', { page: number, pages }) : ''
  const previous = (): void => (place.isNumbered ? list.change({ page: String(number - 1) }) : go.back())
  return (
    <nav className="flex between small" aria-label={t('list.pages')}>
      <span className="muted">{words}</span>
      <span className="flex">
        {!isFirst && (
          <>
            <Action onClick={() => list.change({ page: undefined, cursor: undefined })}>{t('list.first')}</Action>
            <Action onClick={previous}>{t('list.previous')}</Action>
          </>
        )}
        {nextPage !== undefined && <Action onClick={() => list.change(nextPage)}>{t('list.next')}</Action>}
      </span>
    </nav>
  )
}

/** Where in the list its reader is, and what leads to the page after it. */
const placeOf = ({ search, limit = 50 }: PagerProps['list'], { total, isExact, nextCursor }: Page<unknown>) => {
  const { page = '1', cursor } = search
  const number = Number(page)
  const pages = Math.max(1, Math.ceil(total / limit))
  const isNumbered = cursor === undefined
  const nextNumber = isNumbered && isExact && number < pages ? { page: String(number + 1) } : undefined
  return {
    number,
    pages,
    isNumbered: isNumbered && isExact,
    isFirst: isNumbered && number <= 1,
    nextPage: nextCursor === undefined ? nextNumber : { cursor: nextCursor, page: undefined },
  }
}
