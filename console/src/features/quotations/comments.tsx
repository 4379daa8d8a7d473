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
import type { RowOf } from '#api/types.ts'
import { useDraftHere } from './draft/use-draft.ts'
import { commentsOf, type Quotation } from './quotation.ts'
import { nameOf } from './words.ts'
import classes from './quotations.module.css'

interface QuotationProps {
  readonly quotation: Quotation
}

/** What was said to the buyer, and apart from it what only the back office sees; and a way to say more. */
export const CommentsTab = () => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const { data, error } = useQuery(commentsOf(quotation.id))
  return (
    <div className={classes['talk']}>
      {data === undefined && (error === null ? <Skeleton lines={6} width="100%" /> : <Failed error={error} />)}
      {data !== undefined && (
        <>
          <Said title={t('comments.title')} none={t('comments.none')} said={data.rows.filter((one) => !one.internal)} />
          <Said
            title={t('comments.notes')}
            none={t('comments.no_notes')}
            said={data.rows.filter((one) => one.internal)}
            isInternal
          />
        </>
      )}
      {data !== undefined && data.total > data.rows.length && (
        <p className="muted">{t('first_of', { count: data.total })}</p>
      )}
      <NewComment key={quotation.id} quotation={quotation} />
    </div>
  )
}

interface SaidProps {
  readonly title: string
  readonly none: string
  readonly said: readonly RowOf<'/api/v1/quotations/{id}/comments'>[]
  readonly isInternal?: boolean
}

const Said = ({ title, none, said, isInternal = false }: SaidProps) => (
  <section className="stack">
    <h2>{title}</h2>
    {said.length === 0 && <p className="muted">{none}</p>}
    <ol className={classes['comments']}>
      {said.map(({ id, text, user, created_at: at }) => (
        <li key={id} data-internal={isInternal || undefined}>
          <div className="small muted">
            {nameOf(user)} · <Time at={at} />
          </div>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </section>
)

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
