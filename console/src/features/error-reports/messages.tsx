import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { JsonView } from '#ui/json-view.tsx'
import { messageOf } from './message.ts'
import classes from './error-reports.module.css'

/** What was asked beside what came back. */
export const Messages = ({ report }: { readonly report: Schema<'ErrorReport'> }) => {
  const { t } = useTranslation('error-reports')
  return (
    <div className={classes['pair']}>
      <MessageBox title={t('asked')} raw={report.raw_request} nothing={t('asked_nothing')} />
      <MessageBox title={t('came_back')} raw={report.raw_response} nothing={t('came_back_nothing')} />
    </div>
  )
}

interface MessageBoxProps {
  readonly title: string
  readonly raw: string | null
  readonly nothing: string
}

const MessageBox = ({ title, raw, nothing }: MessageBoxProps) => {
  const { head, body, status } = messageOf(raw ?? '')
  return (
    <section>
      <h3>
        {title} {status !== undefined && <span className={status < 400 ? 'text-ok' : 'text-bad'}>{status}</span>}
      </h3>
      {raw === null || raw.trim() === '' ? (
        <p className="muted">{nothing}</p>
      ) : (
        <>
          {head !== '' && head !== String(status) && <pre>{head}</pre>}
          {body.trim() !== '' && (
            <div className={classes['message']}>
              <JsonView text={body} label={title} />
            </div>
          )}
        </>
      )}
    </section>
  )
}
