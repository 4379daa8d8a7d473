import { Checkbox, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changesOf } from '#ui/changes.ts'
import { showErrors } from '#ui/show-errors.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone } from '#ui/toast.tsx'
import { Unsaved } from '#ui/unsaved.tsx'
import { commentsOf, type Quotation } from './quotation.ts'
import classes from './quotations.module.css'

interface QuotationProps {
  readonly quotation: Quotation
}

/** What was said about a quotation, to the buyer and among the back office, and a way to say more. */
export const Comments = ({ quotation }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const { data, error } = useQuery(commentsOf(quotation.id))
  return (
    <section className="stack">
      <h3>{t('comments.title')}</h3>
      {data === undefined && (error === null ? <Skeleton lines={3} width="100%" /> : <Failed error={error} />)}
      {data?.total === 0 && <p className="muted">{t('comments.none')}</p>}
      <ol className={classes['comments']}>
        {data?.rows.map(({ id, text, user, internal, created_at: at }) => (
          <li key={id} data-internal={internal || undefined}>
            <div className="small muted">
              {user.first_name} {user.last_name} · <Time at={at} />
              {internal && ` · ${t('comments.internal')}`}
            </div>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      {data !== undefined && data.total > data.rows.length && (
        <p className="muted">{t('first_of', { count: data.total })}</p>
      )}
      <NewComment key={quotation.id} quotation={quotation} />
    </section>
  )
}

const NewComment = ({ quotation }: QuotationProps) => {
  const { t } = useTranslation('quotations')
  const sending = useSend('post', '/api/v1/quotations/{id}/comments')
  const { id, allowed_actions: allowed, blocked_actions: blocked } = quotation
  const mayComment = allowed.includes('comment')
  const form = useForm({ initialValues: { text: '', internal: false } })
  const internal = form.values.internal || !mayComment
  const save = ({ text }: typeof form.values): void =>
    sending.mutate(
      { path: { id }, body: { text: text.trim(), internal } },
      {
        onSuccess: () => {
          form.reset()
          toastDone(t(internal ? 'comments.noted' : 'comments.sent'))
        },
        onError: showErrors(form),
      },
    )
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <Textarea
        label={t(internal ? 'comments.note' : 'comments.comment')}
        autosize
        minRows={2}
        maxRows={8}
        required
        {...form.getInputProps('text')}
      />
      <Checkbox
        label={t('comments.is_internal')}
        description={mayComment ? undefined : blocked['comment']}
        checked={internal}
        disabled={!mayComment}
        onChange={(event) => form.setFieldValue('internal', event.currentTarget.checked)}
      />
      <div>
        <Action type="submit" loading={sending.isPending}>
          {t(internal ? 'comments.keep' : 'comments.send')}
        </Action>
      </div>
      <Unsaved changes={changesOf(form)} />
    </form>
  )
}
