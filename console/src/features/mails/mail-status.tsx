import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Status, type Outcome } from '#ui/status.tsx'

type MailState = Schema<'Mail'>['status']

const outcomes: Record<MailState, Outcome> = { kept: 'idle', waiting: 'wait', sent: 'ok', failed: 'bad' }

/** Whether a message has left. */
export const MailStatus = ({ status }: { readonly status: MailState }) => {
  const { t } = useTranslation('mails')
  return <Status outcome={outcomes[status]}>{t(`status.${status}`)}</Status>
}
