import { useTranslation } from 'react-i18next'
import { useDue } from '../parts/time-words.tsx'
import type { Quotation } from './queries.ts'
import { turnOf, type Part } from './turn.ts'

/** Who acts next and by when, as a sentence. */
export const useTurnWords = ({ status, expires_at: until, user }: Quotation, part: Part): string => {
  const { t } = useTranslation('shop')
  const due = useDue(until)
  const { sentence, actor } = turnOf(status, part)
  const owner = user.first_name === '' ? user.email : `${user.first_name} ${user.last_name}`.trim()
  const isTimed = due !== undefined && actor !== 'nobody'
  return isTimed ? t(`turn.${sentence}_by`, { due, owner }) : t(`turn.${sentence}`, { owner })
}
