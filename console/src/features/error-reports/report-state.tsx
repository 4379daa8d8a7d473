import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Status } from '#ui/status.tsx'

/** Open, closed and how, or a log of success. */
export const ReportState = ({ report }: { readonly report: Schema<'ErrorReport'> }) => {
  const { t } = useTranslation('error-reports')
  if (!report.is_ok) return <Status outcome="bad">{t('state.open')}</Status>
  if (report.resolved_how === null) return <Status outcome="ok">{t('success')}</Status>
  return <Status outcome="ok">{t(`how.${report.resolved_how}`)}</Status>
}
