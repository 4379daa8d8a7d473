import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { useMe } from '#api/session.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Loaded, Refused } from '../parts/states.tsx'
import { Ago } from '../parts/time-words.tsx'
import { useKept } from '../parts/use-kept.ts'
import { useOff } from './off.ts'
import { commentsOf, quotationOf, type Detail } from './queries.ts'
import classes from './quotations.module.css'

/** What was said about it, and what the reader has to say. */
export const Comments = ({ quotation }: { readonly quotation: Detail }) => {
  const { t } = useTranslation('shop')
  const query = useQuery(commentsOf(quotation.id))
  const off = useOff(quotation)('comment')
  return (
    <section className={classes['section']} aria-labelledby="comments-title">
      <h2 id="comments-title">{t('comments.title')}</h2>
      <Loaded query={query} rows={1}>
        {({ results }) => (
          <>
            {results.length === 0 && <p className="muted">{t('comments.none')}</p>}
            <ul className="rows" aria-live="polite">
              {results.map((comment) => (
                <Comment key={comment.id} comment={comment} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {off === undefined && <Answer quotation={quotation} />}
    </section>
  )
}

const Comment = ({ comment: { user, text, created_at: at } }: { readonly comment: Schema<'QuotationComment'> }) => {
  const { t } = useTranslation('shop')
  const me = useMe()
  const name = `${user.first_name} ${user.last_name}`.trim() || user.email
  return (
    <li className={classes['comment']}>
      <p>
        <b>{user.id === me.id ? t('comments.you') : name}</b>{' '}
        <span className="muted">
          <Ago at={at} />
        </span>
      </p>
      <p className={classes['text']}>{text}</p>
    </li>
  )
}

const Answer = ({ quotation: { id } }: { readonly quotation: Detail }) => {
  const { t } = useTranslation('shop')
  const queries = useQueryClient()
  const [text, setText, forget] = useKept(`comment ${id}`)
  const sending = useMutation<unknown, ApiError>({
    mutationFn: () =>
      call('post', '/api/v1/my-quotations/{id}/comments', { path: { id }, body: { text: text.trim() } }),
    onSuccess: async () => {
      forget()
      await Promise.all(
        [commentsOf(id), quotationOf(id)].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
      )
    },
  })
  const wrong = sending.error?.fields['text']
  return (
    <form
      className="stack"
      data-screen-only
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') sending.mutate()
      }}
    >
      <TextField
        label={t('comments.answer')}
        maxLength={5000}
        value={text}
        error={wrong}
        onChange={({ target }) => setText(target.value)}
      />
      <Refused error={wrong === undefined ? sending.error : null} />
      {text.trim() !== '' && (
        <Button type="submit" isBusy={sending.isPending}>
          {t('comments.send')}
        </Button>
      )}
    </form>
  )
}
