import { useTranslation } from 'react-i18next'
import { Notice } from '#ui/notice.tsx'
import type { Quotation } from '../quotation.ts'
import { nameOf } from '../words.ts'

/** Why it was rejected or cancelled, where somebody said. */
export const Reason = ({ quotation: { reason } }: { readonly quotation: Quotation }) => {
  const { t } = useTranslation('quotations')
  if (reason === null || reason.text === '') return null
  return (
    <Notice outcome="idle" title={t(`reason.${reason.action}`, { who: nameOf(reason.by) })}>
      <p>{reason.text}</p>
    </Notice>
  )
}
