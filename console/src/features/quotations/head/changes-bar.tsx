import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { toastDone } from '#ui/toast.tsx'
import { differencesBetween, tallyOf } from '../draft/differences.ts'
import { isGone } from '../draft/edits.ts'
import { ListPriceNote } from '../draft/list-price-note.tsx'
import { useDraftHere, type Draft } from '../draft/use-draft.ts'
import { amountOf, tallyWords } from '../words.ts'
import classes from '../workspace.module.css'

/** What is changed and not saved: how much of what, what the total becomes, and the ways out. */
export const ChangesBar = () => {
  const { t } = useTranslation('quotations')
  const draft = useDraftHere()
  const { base, priced, netBefore, isChanged, isSaving, saveError, off, conflicts, save, dispatch, past } = draft
  if (!isChanged) return null
  const why = off ?? (conflicts.length > 0 ? t('changes.choose', { count: conflicts.length }) : undefined)
  return (
    <div className={classes['changes']} role="region" aria-label={t('changes.label')}>
      <p aria-live="polite">
        {tallyWords(tallyOf(differencesBetween(base.terms, nowOf(draft))), t)}
        {': '}
        {netBefore === priced.net ? (
          t('changes.same_total')
        ) : (
          <>
            <s className="muted">{amountOf(netBefore, base.terms)}</s> → <b>{amountOf(priced.net, base.terms)}</b>
          </>
        )}
      </p>
      <ListPriceNote />
      {saveError !== null && !isSaving && (
        <p role="alert" className={saveError.status === 412 ? undefined : 'text-bad'}>
          {saveError.status === 412 ? t('changes.stale') : saveError.message}
        </p>
      )}
      <span className="flex">
        <Action
          variant="subtle"
          off={past.length === 0 ? t('changes.no_undo') : undefined}
          onClick={() => dispatch({ type: 'undo' })}
        >
          {t('changes.undo')}
        </Action>
        <Action onClick={() => dispatch({ type: 'discard' })}>{t('changes.discard')}</Action>
        <Action
          main
          off={why}
          loading={isSaving}
          onClick={() => save(undefined, { onSuccess: () => void toastDone(t('changes.saved')) })}
        >
          {t('changes.save')}
        </Action>
      </span>
    </div>
  )
}

/** The terms as they would be saved. */
export const nowOf = ({ base, lines, discounts }: Draft) => ({
  ...base.terms,
  lines: lines.some(isGone) ? lines.filter((line) => !isGone(line)) : lines,
  discounts,
})
